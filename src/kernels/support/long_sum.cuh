// A sum of many floats.
#pragma once

namespace kprof {

// Compensated (Kahan 1965): its error does not grow with the number of terms, so that rows of any length
// keep FP32's tolerance.
struct LongSum {
    float sum = 0, lost = 0;
    __device__ void add(float x) {
        const float term = x - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    __device__ void scale(float factor) {
        sum *= factor;
        lost *= factor;
    }
};

}  // namespace kprof
