// What a .cu needs after a launch, without a CUDA or string header.
#pragma once

namespace kprof {

// Throws Error(environment) when the launch before it was refused; `kernel` names it in the message.
void check_launch(const char* kernel);

}  // namespace kprof
