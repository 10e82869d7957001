"""The sum of a tensor over all GPUs of a host, by NCCL.

kprof: NCCL's kernel keeps few SMs busy and waits for its peers: its time is the links', not this GPU's. It must never be
replayed by itself, since its peers would wait for ever. With one GPU it is a copy at the DRAM limit, or nothing at all.

    torchrun --standalone --nproc-per-node gpu examples/nccl/all_reduce.py
    kprof profile -- torchrun --standalone --nproc-per-node gpu examples/nccl/all_reduce.py
"""
import os

import torch
import torch.distributed as dist


def main():
    # Without torchrun: one process, one GPU.
    for name, value in (("RANK", "0"), ("LOCAL_RANK", "0"), ("WORLD_SIZE", "1"), ("MASTER_ADDR", "127.0.0.1"),
                        ("MASTER_PORT", "29511")):
        os.environ.setdefault(name, value)
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    rank, ranks = dist.get_rank(), dist.get_world_size()
    count = 64 << 20  # 256 MiB of FP32
    for _ in range(3):
        x = torch.full((count,), float(rank + 1), device=device)
        dist.all_reduce(x)
    torch.cuda.synchronize()
    expected = ranks * (ranks + 1) / 2
    assert torch.all(x == expected), f"rank {rank}: {x[:4].tolist()} is not {expected}"
    if rank == 0:
        print(f"all_reduce: {ranks} GPUs, {count} elements, every one {expected}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
