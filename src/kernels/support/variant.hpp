// One variant of a reference kernel, as its .cu states it: facts, buffers, launch, reference. What follows
// from them (memory, random inputs, poisoned output, verification, the KernelDef) is made in variant.cpp and
// variant_workload.cpp. C++17 and light: every .cu includes it. (The matrix products have gemm_family.hpp.)
#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.hpp"
#include "kernels/support/geometry.hpp"

namespace kprof {

// What a launch, a reference and the facts see. In facts (sizes, FLOPs, geometry) the pointers are null.
struct Call {
    std::int64_t extent[6] = {};  // in the order of Variant::extents
    void* buffer[12] = {};        // device memory, in the order of Variant::buffers
    DType dtype = DType::fp32;
    void* context = nullptr;  // what the variant's open() returned
    template <typename T>
    T* as(int index) const {
        return static_cast<T*>(buffer[index]);
    }
    double size() const { return static_cast<double>(size_of(dtype)); }  // bytes of an element of `dtype`
};

// of_call: the element type of the call's dtype (TF32 lies in memory as FP32).
enum class Element : unsigned char { of_call, fp64, fp32, bf16, fp16, fp8, int8, int32, uint32 };

enum class Role : unsigned char {
    input,    // random numbers in [-1, 1), unless prepare() writes others; integers are 0 before prepare()
    output,   // exactly one; poisoned (every byte 0xFF) before each run, with a guard behind its end
    scratch,  // intermediate results; poisoned before each run as well
    zeroed    // scratch that holds zeros before each run: counters, sums of atomics
};

struct BufferSpec {
    const char* name = "";                         // for "does not fit", and people
    std::int64_t (*count)(const Call&) = nullptr;  // elements, at least 1
    Element element = Element::of_call;
    Role role = Role::input;
};

// Expected values of some groups of the output. All pointers: device memory.
struct ReferenceCall {
    const Call& call;
    const std::int64_t* groups;  // which groups: group g holds the elements [g * size, (g + 1) * size)
    int count;                   // of groups
    std::int64_t size;           // elements of a group; the last may be cut off by the output's end: write no
                                 // expected value that it does not have, or write anything there
    double* expected;            // count x size, to be filled
    double* scratch;             // reference_scratch(call) numbers, kept between calls of one verification
    bool first;                  // the first call of a verification: what scratch holds must be computed
};

// A chip that the variant needs; elsewhere it is left out with this reason.
struct Needs {
    int cc_major = 0, cc_minor = 0;  // exactly this compute capability; 0: any
    const char* what = "";           // "TMA and WGMMA"
};

struct Variant {
    const char* family = "";
    const char* name = "";                    // the file is src/kernels/<family>/<name>.cu, with _ for -
    const char* title = "";                   // one line for `kprof list variants`
    std::vector<const char*> extents;         // {"rows", "columns"}
    std::vector<std::int64_t> default_shape;  // as many numbers
    std::vector<DType> dtypes;                // the first is the default
    const char* expected =
        "";                 // the rule that should be found first, or "at_limit:<roof>": KernelDef::expected
    const char* twin = "";  // the variant that mends only that; empty at a limit
    int rung = 0;           // order in the family's ladder, slowest first
    bool is_default = false;  // one a family
    Needs needs;

    std::vector<BufferSpec> buffers;
    // What has to be done, whatever the variant's way: the same for twins. FLOPs count an FMA as two and
    // leave out integer work; minimum bytes are every input read once and every output written once.
    double (*flops)(const Call&) = nullptr;      // null: 0
    double (*min_bytes)(const Call&) = nullptr;  // required
    const char* precision = "";                  // the roof of the arithmetic, "fp32"; empty: the dtype's own
    bool matrix_product = false;
    Geometry (*geometry)(const Call&) = nullptr;  // of the only (or longest) kernel; null: not fixed by shape
    // Throws no error: returns why this shape cannot run ("columns must be a multiple of 8"), or null.
    const char* (*refuses)(const Call&) = nullptr;

    // Null in a build without CUDA, all that follows.
    void (*launch)(const Call&) = nullptr;   // on the legacy stream; check_launch() after each kernel
    int (*launches)(const Call&) = nullptr;  // kernels that launch() enqueues; null: 1
    // For runs of hundreds of kernels: enqueues some that stand for all, so that counters stay affordable.
    void (*launch_sample)(const Call&) = nullptr;
    int (*sample_launches)(const Call&) = nullptr;
    void (*prepare)(const Call&) = nullptr;  // writes inputs that are not uniform random numbers; once
    void* (*open)(const Call&) = nullptr;  // once per workload, before anything is timed (buffers are there)
    void (*close)(void*) = nullptr;

    // Verification, on the device, in FP64 (or exact integers).
    std::int64_t (*group)(const Call&) = nullptr;  // elements of the output that are computed together
    double (*group_cost)(const Call&) = nullptr;   // FLOPs of one group's reference; null: 10 per element
    std::int64_t (*reference_scratch)(const Call&) = nullptr;  // doubles; null: 0
    void (*reference)(const ReferenceCall&) = nullptr;
    // Largest ‖out - ref‖ / ‖ref‖; 0: by dtype (FP64 1e-12, FP32 1e-5, TF32 1e-3, FP16 2e-3, BF16 4e-3,
    // FP8 5e-2).
    double tolerance = 0;
    // Widens the tolerance of a chain of kernels that rounds its intermediate results to the dtype.
    double tolerance_factor = 1;
    // The output must equal the reference rounded once to its type: copies, integers, one addition.
    bool exact = false;
};

struct RegisterVariant {
    explicit RegisterVariant(const Variant& variant);
};

// Bytes of one element in memory.
std::size_t size_of(Element element, DType dtype);

}  // namespace kprof
