#include "collect/cuda/l2_flush.hpp"

#include <algorithm>
#include <array>

#include "collect/cuda/driver.hpp"

namespace kprof {
namespace {

constexpr std::int64_t sink_bytes = 256;
constexpr unsigned threads = 256;

// Grid-stride loop of 16-byte loads that go to L2 only (.cg). The sum is stored only if it has a value that a
// zeroed buffer cannot give, so that the loads stay and nothing is written.
constexpr const char* read_ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry kprof_l2_read(
    .param .u64 p_buffer, .param .u64 p_count, .param .u64 p_sink)
{
    .reg .pred %p<4>;
    .reg .b32 %r<16>;
    .reg .b64 %rd<16>;
    ld.param.u64 %rd1, [p_buffer];
    ld.param.u64 %rd2, [p_count];
    ld.param.u64 %rd3, [p_sink];
    cvta.to.global.u64 %rd4, %rd1;
    cvta.to.global.u64 %rd5, %rd3;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mov.u32 %r4, %nctaid.x;
    cvt.u64.u32 %rd6, %r3;
    mad.wide.u32 %rd7, %r1, %r2, %rd6;
    mul.wide.u32 %rd8, %r2, %r4;
    mov.u32 %r5, 0;
    setp.ge.u64 %p1, %rd7, %rd2;
    @%p1 bra DONE;
LOOP:
    shl.b64 %rd9, %rd7, 4;
    add.s64 %rd10, %rd4, %rd9;
    ld.global.cg.v4.u32 {%r6, %r7, %r8, %r9}, [%rd10];
    add.u32 %r10, %r6, %r7;
    add.u32 %r11, %r8, %r9;
    add.u32 %r12, %r10, %r11;
    add.u32 %r5, %r5, %r12;
    add.s64 %rd7, %rd7, %rd8;
    setp.lt.u64 %p2, %rd7, %rd2;
    @%p2 bra LOOP;
DONE:
    setp.ne.u32 %p3, %r5, 2654435769;
    @%p3 bra END;
    st.global.u32 [%rd5], %r5;
END:
    ret;
}
)";

}  // namespace

std::int64_t L2Flush::bytes_for(std::int64_t l2_bytes) {
    // Three times the cache: its replacement is not strictly least recently used. At least 64 MB where the
    // driver does not tell the size.
    constexpr std::int64_t least = std::int64_t{64} << 20;
    return std::max(3 * l2_bytes, least) / 256 * 256 + sink_bytes;
}

L2Flush::L2Flush(std::int64_t l2_bytes, int sm_count)
    : bytes_(bytes_for(l2_bytes)), blocks_(static_cast<unsigned>(std::max(sm_count, 1)) * 8) {}

L2Flush::~L2Flush() {
    release();
}

void L2Flush::release() noexcept {
    const Driver& d = driver_state().table;
    if (module_ != nullptr) d.module_unload(module_);
    if (buffer_ != 0) d.mem_free(buffer_);
    module_ = nullptr;
    buffer_ = 0;
}

void L2Flush::make_ready() {
    if (kernel_ != nullptr) return;
    const Driver& d = driver();
    try {
        const auto bytes = static_cast<std::size_t>(bytes_);
        check(d.mem_alloc(&buffer_, bytes), "cuMemAlloc");
        check(d.memset_d32_async(buffer_, 0, bytes / 4, nullptr), "cuMemsetD32Async");
        check(d.module_load_data(&module_, read_ptx), "cuModuleLoadData");
        check(d.module_get_function(&kernel_, module_, "kprof_l2_read"), "cuModuleGetFunction");
    } catch (...) {
        kernel_ = nullptr;
        release();
        throw;
    }
    run();  // the first launch loads the code: not before a measured kernel
    check(d.ctx_synchronize(), "cuCtxSynchronize");
}

void L2Flush::run() {
    make_ready();
    const auto readable = static_cast<std::uint64_t>(bytes_ - sink_bytes);
    std::uint64_t count = readable / 16;
    CUdeviceptr sink = buffer_ + readable;
    std::array<void*, 3> arguments = {&buffer_, &count, &sink};
    check(
        driver().launch_kernel(kernel_, blocks_, 1, 1, threads, 1, 1, 0, nullptr, arguments.data(), nullptr),
        "cuLaunchKernel");
}

}  // namespace kprof
