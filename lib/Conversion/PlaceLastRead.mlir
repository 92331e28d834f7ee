// The policy last-read, for Host.mlir.

host.comment "Takes uploads off the device, in the plan's order, until the rest fits the"
host.comment "budget. Returns whether it does."
func.func private @place(%program: !host.ptr<"lane_program">, %budget: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %whole = arith.constant ${WHOLE_BYTES} : i64
  %uploads = arith.constant ${NUM_UPLOADS} : i64
  %flags = host.get_field %program["on_host"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr<"int8_t">
  %device, %host, %moved = scf.for %rank = %zero to %uploads step %one
      iter_args(%device = %whole, %host = %zero, %moved = %zero) -> (i64, i64, i64) : i64 {
    %leaves = arith.cmpi sgt, %device, %budget : i64
    %flag = arith.extui %leaves : i1 to i8
    host.store %flag, %flags[%rank] : i8, !host.ptr<"int8_t">
    %bytes = host.table_load @upload_bytes[%rank] : i64
    %left = arith.select %leaves, %bytes, %zero : i64
    %count = arith.select %leaves, %one, %zero : i64
    %device_next = arith.subi %device, %left overflow<nsw> : i64
    %host_next = arith.addi %host, %left overflow<nsw> : i64
    %moved_next = arith.addi %moved, %count overflow<nsw> : i64
    scf.yield %device_next, %host_next, %moved_next : i64, i64, i64
  }
  host.set_field %device, %program["device_bytes"] of @lane_program : i64, !host.ptr<"lane_program">
  host.set_field %host, %program["host_bytes"] of @lane_program : i64, !host.ptr<"lane_program">
  host.set_field %moved, %program["moved"] of @lane_program : i64, !host.ptr<"lane_program">
  %fits = arith.cmpi sle, %device, %budget : i64
  return %fits : i1
}
