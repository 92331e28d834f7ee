// Devices.mlir - Common cards, as DLTI target device specifications.
//
// The memory is what CUDA reports in total (cudaMemGetInfo, totalGlobalMem): less than
// the card has, since the driver holds back a part, and ECC another. It differs by some
// 0.1 GiB between drivers; the table has the least of the public outputs that were found,
// rounded down to MiB, with its source. If there is none, the memory is estimated: the
// nominal one less the part that the largest card of that generation does not report.
//
// The bandwidths are nominal, in bytes per second, from NVIDIA's data sheets; that of the
// link is for one direction of its generation and width (PCIe 4.0 x16: 32 GB/s, 4.0 x8:
// 16 GB/s, 5.0 x16: 64 GB/s). Programs reach about four fifths of the latter.

module attributes {
  dlti.target_system_spec = #dlti.target_system_spec<
    // 11.75 GiB: https://github.com/Kunhao-Liu/StyleGaussian/issues/12
    "rtx-3060" = #dlti.target_device_spec<
      "lane.memory_bytes" = 12616466432 : i64,
      "lane.memory_bytes_per_second" = 360000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 7.76 GiB: https://github.com/sshan-zhao/GASDA/issues/19
    "rtx-3070" = #dlti.target_device_spec<
      "lane.memory_bytes" = 8331984896 : i64,
      "lane.memory_bytes_per_second" = 448000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 9.78 GiB: https://github.com/zai-org/CogVideo/issues/34
    "rtx-3080" = #dlti.target_device_spec<
      "lane.memory_bytes" = 10500440064 : i64,
      "lane.memory_bytes_per_second" = 760000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 23.69 GiB: https://github.com/OpenBMB/MiniCPM-V/issues/612
    "rtx-3090" = #dlti.target_device_spec<
      "lane.memory_bytes" = 25436356608 : i64,
      "lane.memory_bytes_per_second" = 936000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // estimated: 8 GiB less the 492 MiB of rtx-4090
    "rtx-4060" = #dlti.target_device_spec<
      "lane.memory_bytes" = 8074035200 : i64,
      "lane.memory_bytes_per_second" = 272000000000 : i64,
      "lane.link_bytes_per_second" = 16000000000 : i64>,
    // estimated: that of the RTX 4070 Ti, of 12 GiB too,
    // 11.70 GiB: https://github.com/Kwai-Kolors/Kolors/issues/11
    "rtx-4070" = #dlti.target_device_spec<
      "lane.memory_bytes" = 12561940480 : i64,
      "lane.memory_bytes_per_second" = 504000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // estimated: 16 GiB less the 492 MiB of rtx-4090
    "rtx-4080" = #dlti.target_device_spec<
      "lane.memory_bytes" = 16663969792 : i64,
      "lane.memory_bytes_per_second" = 717000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 23.52 GiB: https://github.com/Soul-AILab/SoulX-FlashTalk/issues/5
    "rtx-4090" = #dlti.target_device_spec<
      "lane.memory_bytes" = 25253904384 : i64,
      "lane.memory_bytes_per_second" = 1008000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // estimated: 8 GiB less the 656 MiB of rtx-5090
    "rtx-5060" = #dlti.target_device_spec<
      "lane.memory_bytes" = 7902068736 : i64,
      "lane.memory_bytes_per_second" = 448000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // nvidia-smi: 12227 MiB, 464 of them reserved:
    // https://github.com/shkhln/libc6-shim/issues/14
    "rtx-5070" = #dlti.target_device_spec<
      "lane.memory_bytes" = 12334399488 : i64,
      "lane.memory_bytes_per_second" = 672000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    // estimated: 16 GiB less the 656 MiB of rtx-5090
    "rtx-5080" = #dlti.target_device_spec<
      "lane.memory_bytes" = 16492003328 : i64,
      "lane.memory_bytes_per_second" = 960000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    // 31.36 GiB: https://github.com/TrajectoryCrafter/TrajectoryCrafter/issues/20
    "rtx-5090" = #dlti.target_device_spec<
      "lane.memory_bytes" = 33671872512 : i64,
      "lane.memory_bytes_per_second" = 1792000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    // 22.03 GiB: https://github.com/ArcInstitute/evo2/issues/190
    "l4" = #dlti.target_device_spec<
      "lane.memory_bytes" = 23653777408 : i64,
      "lane.memory_bytes_per_second" = 300000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 44.42 GiB: https://github.com/stepfun-ai/Step-Video-T2V/issues/8
    "l40s" = #dlti.target_device_spec<
      "lane.memory_bytes" = 47695527936 : i64,
      "lane.memory_bytes_per_second" = 864000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 22.05 GiB: https://github.com/InternLM/InternLM/issues/71
    "a10" = #dlti.target_device_spec<
      "lane.memory_bytes" = 23675797504 : i64,
      "lane.memory_bytes_per_second" = 600000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 39.50 GiB: https://github.com/TianheWu/CoSeR/issues/10
    "a100-40gb" = #dlti.target_device_spec<
      "lane.memory_bytes" = 42412802048 : i64,
      "lane.memory_bytes_per_second" = 1555000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 79.14 GiB: https://github.com/lianqi1008/Control-GIC/issues/6
    "a100-80gb" = #dlti.target_device_spec<
      "lane.memory_bytes" = 84975550464 : i64,
      "lane.memory_bytes_per_second" = 2039000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    // 79.11 GiB: https://github.com/vllm-project/vllm/issues/27508
    "h100" = #dlti.target_device_spec<
      "lane.memory_bytes" = 84943044608 : i64,
      "lane.memory_bytes_per_second" = 3350000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    // 139.80 GiB: PyTorch, in logs of several programs
    "h200" = #dlti.target_device_spec<
      "lane.memory_bytes" = 150108897280 : i64,
      "lane.memory_bytes_per_second" = 4800000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    // 178.35 GiB: https://github.com/pytorch/ao/pull/4002
    "b200" = #dlti.target_device_spec<
      "lane.memory_bytes" = 191501434880 : i64,
      "lane.memory_bytes_per_second" = 8000000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>>
} {
}
