// The parts of the text report, in their order on the screen. Each is a pure function of one analysed kernel.
#pragma once

#include <string>

#include "metrics/catalogue.hpp"
#include "report/pen.hpp"
#include "report/report.hpp"
#include "report/text_view.hpp"

namespace kprof {

// "gemm / naive · fp32 · 4096×4096×4096"; a long foreign name is replaced by its short form.
// "gemm / naive" of a reference kernel; empty for others.
std::string name_of(const KernelId& k);
std::string title_of(const KernelProfile& p, const Pen& pen);
// "NVIDIA H200"; from the profile, else the machine's name, else empty.
std::string gpu_of(const Analysed& a);
// The point that the numbers of the table speak of: the first measured one at DRAM, else the first measured
// one; nullptr when nothing was placed.
const RooflinePoint* main_point(const Placement& placement);
// "DRAM", "BF16": roofs and levels as people write them.
std::string roof_name(const std::string& id);
// "DRAM" left of the ridge, the precision right of it.
std::string binding_roof(const RooflinePoint& point);

// "recording of 2026-11-30 on NVIDIA H200 (no usable GPU here: ...)"; empty for what was measured here.
std::string announcement(const Analysed& a, const Pen& pen, bool with_note = true);
Lines header_section(const Analysed& a, const Pen& pen);
Lines verdict_section(const Analysed& a, const Pen& pen);
Lines roofline_section(const Analysed& a, const Pen& pen);
Lines steps_section(const Analysed& a, const Pen& pen);
Lines findings_section(const Analysed& a, const TextView& view, const Pen& pen);
Lines table_section(const Analysed& a, const TextView& view, const Pen& pen);
Lines how_section(const Analysed& a, const Pen& pen);
Lines what_if_section(const Analysed& a, const Pen& pen);
// -v: every metric with its origin, or its status and reason. `catalogue` gives the groups; may be null.
Lines metrics_section(const Analysed& a, const Catalogue* catalogue, const Pen& pen);

}  // namespace kprof
