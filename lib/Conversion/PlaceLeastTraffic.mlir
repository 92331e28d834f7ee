// The policy least-traffic, for Host.mlir.

host.comment "Takes those uploads off the device of which a step reads the fewest bytes, so"
host.comment "that the rest fits the budget. Returns whether it does."
func.func private @place(%program: !host.ptr<"lane_program">, %budget: i64) -> i1 {
  %ok = arith.constant 0 : i32
  %whole = arith.constant ${WHOLE_BYTES} : i64
  %uploads = arith.constant ${NUM_UPLOADS} : i64
  %bytes = host.table_address @upload_bytes : !host.ptr<"const int64_t">
  %traffic = host.table_address @upload_step_bytes : !host.ptr<"const int64_t">
  %fits = host.call "lanePlaceLeastTraffic"(%program, %bytes, %traffic, %uploads, %whole, %budget)
    : (!host.ptr<"lane_program">, !host.ptr<"const int64_t">, !host.ptr<"const int64_t">, i64, i64, i64) -> i32
  %does = arith.cmpi ne, %fits, %ok : i32
  return %does : i1
}
