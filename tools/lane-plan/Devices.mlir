// Devices.mlir - Common cards, as DLTI target device specifications.
//
// The memory is the nominal size in bytes, from NVIDIA's data sheets: a card of "12 GB"
// has 12 GiB. If the driver of a card reports less, the table has what it reports, in
// whole GiB. The bandwidths are nominal, in bytes per second: that of the memory is from
// the data sheets; that of the link is for one direction of its generation and width
// (PCIe 4.0 x16: 32 GB/s, 4.0 x8: 16 GB/s, 5.0 x16: 64 GB/s). Programs reach about four
// fifths of the latter.

module attributes {
  dlti.target_system_spec = #dlti.target_system_spec<
    "rtx-3060" = #dlti.target_device_spec<
      "lane.memory_bytes" = 12884901888 : i64,
      "lane.memory_bytes_per_second" = 360000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-3070" = #dlti.target_device_spec<
      "lane.memory_bytes" = 8589934592 : i64,
      "lane.memory_bytes_per_second" = 448000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-3080" = #dlti.target_device_spec<
      "lane.memory_bytes" = 10737418240 : i64,
      "lane.memory_bytes_per_second" = 760000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-3090" = #dlti.target_device_spec<
      "lane.memory_bytes" = 25769803776 : i64,
      "lane.memory_bytes_per_second" = 936000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-4060" = #dlti.target_device_spec<
      "lane.memory_bytes" = 8589934592 : i64,
      "lane.memory_bytes_per_second" = 272000000000 : i64,
      "lane.link_bytes_per_second" = 16000000000 : i64>,
    "rtx-4070" = #dlti.target_device_spec<
      "lane.memory_bytes" = 12884901888 : i64,
      "lane.memory_bytes_per_second" = 504000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-4080" = #dlti.target_device_spec<
      "lane.memory_bytes" = 17179869184 : i64,
      "lane.memory_bytes_per_second" = 717000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-4090" = #dlti.target_device_spec<
      "lane.memory_bytes" = 25769803776 : i64,
      "lane.memory_bytes_per_second" = 1008000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-5060" = #dlti.target_device_spec<
      "lane.memory_bytes" = 8589934592 : i64,
      "lane.memory_bytes_per_second" = 448000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "rtx-5070" = #dlti.target_device_spec<
      "lane.memory_bytes" = 12884901888 : i64,
      "lane.memory_bytes_per_second" = 672000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    "rtx-5080" = #dlti.target_device_spec<
      "lane.memory_bytes" = 17179869184 : i64,
      "lane.memory_bytes_per_second" = 960000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    "rtx-5090" = #dlti.target_device_spec<
      "lane.memory_bytes" = 34359738368 : i64,
      "lane.memory_bytes_per_second" = 1792000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    "l4" = #dlti.target_device_spec<
      "lane.memory_bytes" = 25769803776 : i64,
      "lane.memory_bytes_per_second" = 300000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "l40s" = #dlti.target_device_spec<
      "lane.memory_bytes" = 51539607552 : i64,
      "lane.memory_bytes_per_second" = 864000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "a10" = #dlti.target_device_spec<
      "lane.memory_bytes" = 25769803776 : i64,
      "lane.memory_bytes_per_second" = 600000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "a100-40gb" = #dlti.target_device_spec<
      "lane.memory_bytes" = 42949672960 : i64,
      "lane.memory_bytes_per_second" = 1555000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "a100-80gb" = #dlti.target_device_spec<
      "lane.memory_bytes" = 85899345920 : i64,
      "lane.memory_bytes_per_second" = 2039000000000 : i64,
      "lane.link_bytes_per_second" = 32000000000 : i64>,
    "h100" = #dlti.target_device_spec<
      "lane.memory_bytes" = 85899345920 : i64,
      "lane.memory_bytes_per_second" = 3350000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    "h200" = #dlti.target_device_spec<
      "lane.memory_bytes" = 150323855360 : i64,
      "lane.memory_bytes_per_second" = 4800000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>,
    "b200" = #dlti.target_device_spec<
      "lane.memory_bytes" = 192199786496 : i64,
      "lane.memory_bytes_per_second" = 8000000000000 : i64,
      "lane.link_bytes_per_second" = 64000000000 : i64>>
} {
}
