// The list of facts. See facts.hpp.
#include <unordered_map>

#include "diagnosis/facts.hpp"

namespace kprof {

const std::vector<FactInfo>& fact_list() {
    static const std::vector<FactInfo> facts = {
        {"time", "ns", "measured time of the kernel"},
        {"has_work", "", "1 when the analytic work of the kernel is known"},
        {"work_bound", "", "1 when the work is only a bound: the kernel may need less"},
        {"has_min_bytes", "", "1 when the least traffic is known"},
        {"flops", "FLOP", "analytic floating-point operations; without them the counted ones"},
        {"min_bytes", "B", "every input read once, every output written once"},
        {"matrix_product", "", "1 when the arithmetic is a matrix product (by its work or its name)"},
        {"product_like", "",
         "1 when it is more than a plain product: attention, a convolution (by its name)"},
        {"library_kernel", "", "1 when it is a vendor library's own kernel (by its name or variant)"},
        {"builtin", "", "1 for a kernel that kprof brings"},
        {"family.*", "", "1 for the family of a built-in kernel"},
        {"is_tensor_dtype", "", "1 when the precision has only a tensor roof to aim at"},
        {"has_library", "", "1 when there is a library time to compare with"},
        {"m", "", "rows of a matrix product"},
        {"n", "", "columns of a matrix product"},
        {"k", "", "depth of a matrix product"},
        {"aligned_16", "", "1 when m, n and k are multiples of 16"},
        {"aligned_rows", "",
         "1 when the rows of a product's row-major matrices (n and k) are multiples of 16 bytes"},
        {"element_bytes", "B", "size of one element of the kernel's data"},
        {"aligned_64", "", "1 when m, n and k are multiples of 64"},
        {"blocks", "", "thread blocks of the grid"},
        {"threads_per_block", "", "threads of one block"},
        {"registers", "", "registers per thread"},
        {"smem_per_block", "B", "static and dynamic shared memory of a block"},
        {"waves", "", "grid over the blocks that are resident at once"},
        {"blocks_per_sm", "", "blocks that one SM holds"},
        {"theoretical_occupancy", "%", "warps that the launch allows, of the most that an SM holds"},
        {"limits_registers", "", "1 when registers limit the resident blocks"},
        {"limits_smem", "", "1 when shared memory limits the resident blocks"},
        {"limits_blocks", "", "1 when the number of blocks per SM limits them"},
        {"sm_count", "", "SMs of the GPU"},
        {"l2_size", "B", "size of the L2 cache"},
        {"cold", "", "1 when the L2 cache was emptied before each run"},
        {"roof_clock_mhz", "MHz", "SM clock that the roof of the kernel's precision stands for"},
        {"warps_per_scheduler", "", "warps that one scheduler holds at most"},
        {"clock_max_hz", "Hz", "boost clock of the datasheet"},
        {"clock_held_hz", "Hz", "SM clock while the kernel ran"},
        {"clock_share", "", "clock held over boost clock"},
        {"roof.*", "", "ceilings: roof.dram, roof.l1 (B/s), roof.bf16 ... (FLOP/s), roof.kernel"},
        {"measured.*", "",
         "the same as kprof ceilings measured them: measured.dram, measured.l2 ..., measured.kernel"},
        {"library.*", "ns", "time of a library matrix product of this size: library.bf16 ..."},
        {"t.*", "ns", "time that a resource needs by itself: t.dram, t.tensor ..."},
        {"share.*", "", "that time over the measured time"},
        {"limit.*", "", "that share from which a kernel is at its limit: limit.dram, limit.tensor ..."},
        {"resource_share", "", "the share of a resource that a sentence speaks of"},
        {"busiest", "", "the largest share; at a limit the share of the limit"},
        {"open_count", "", "how many of the five steps could not be judged"},
        {"busiest_compute", "", "the largest share of a compute resource"},
        {"busiest_memory", "", "the largest share of a memory resource"},
        {"above_roof", "%", "how far the worst point lies above its roof"},
        {"verification_error", "", "relative error of the result"},
        {"verification_tolerance", "", "tolerance of that error"},
        {"threshold", "", "threshold of the rule"},
        {"gain", "", "time now over time after, by the bound model"},
        {"time_after", "ns", "time after the fix, by the bound model"},
        {"bound", "", "title of the busiest resource; at a limit the limit", true},
        {"beyond_limit", "", "resources busier than the limit that are no limit themselves", true},
        {"open_steps", "", "titles of the steps that could not be judged", true},
        {"unseen", "", "what was not measured and keeps a gain from being estimated", true},
        {"finding", "", "title of the finding that a note speaks of", true},
        {"resource", "", "title of the resource that a sentence speaks of", true},
        {"doubt", "", "where the profile contradicts itself", true},
        {"none_lead", "", "how the verdict without a finding begins", true},
        {"time_fault", "", "why the time of the kernel is no good", true},
        {"own_command", "", "the command that runs this very kernel", true},
        {"bound_compute", "", "title of the busiest compute resource", true},
        {"next_bound", "", "what bounds the kernel after the fix", true},
        {"precision", "", "\"FP32\"", true},
        {"suggested", "", "precision of the library product to move to, \"TF32\"", true},
        {"suggested_dtype", "", "the same for a command line, \"tf32\"", true},
        {"dtype", "", "data type of a built-in kernel", true},
        {"shape", "", "shape for a command line", true},
        {"family", "", "family of a built-in kernel", true},
        {"limiter", "", "what limits the theoretical occupancy", true},
        {"machine", "", "name of the GPU", true},
        {"verification_error_text", "", "the relative error with an exponent", true},
        {"verification_tolerance_text", "", "the tolerance with an exponent", true},
        {"roof_level", "", "what the point above its roof is measured against", true},
        {"failure", "", "why the kernel could not be measured", true},
    };
    return facts;
}

const FactInfo* find_fact(const std::string& name) {
    static const std::unordered_map<std::string, const FactInfo*> index = [] {
        std::unordered_map<std::string, const FactInfo*> out;
        for (const FactInfo& f : fact_list()) out.emplace(f.name, &f);
        return out;
    }();
    if (const auto found = index.find(name); found != index.end()) return found->second;
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return nullptr;
    const auto family = index.find(name.substr(0, dot) + ".*");
    return family == index.end() ? nullptr : family->second;
}

}  // namespace kprof
