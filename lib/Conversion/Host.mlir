// What every program does at its start, in the host dialect. residence-to-host
// puts the program's own figures where ${NAME} stands, and its tables beside.

host.struct @lane_options
  fields ["device_bytes", "files", "num_files", "stream", "log", "progress",
          "user", "place_only"]
  types [i64, !host.ptr<"const char *const *">, i64, !host.ptr, !host.ptr,
         !host.ptr, !host.ptr, i32]

host.struct @lane_program
  fields ["budget_bytes", "device_bytes", "host_bytes", "moved",
          "is_integrated", "can_map_host", "arena", "pool", "host_pool",
          "mapped_pool", "pointers", "on_host", "upload_offsets"]
  types [i64, i64, i64, i64, i32, i32, !host.ptr, !host.ptr, !host.ptr,
         !host.ptr, !host.ptr<"void *">, !host.ptr<"int8_t">,
         !host.ptr<"int64_t">]

//===----------------------------------------------------------------------===//
// The budget, and what it means
//===----------------------------------------------------------------------===//

${PLACE}
host.comment "Asks the device what it is, once its context is up."
func.func private @ask_device(%program: !host.ptr<"lane_program">, %options: !host.ptr<"const lane_options">, %error: !host.ptr<"lane_error">) -> i32 {
  %none = arith.constant 0 : i64
  %ok = arith.constant 0 : i32
  %null = host.null : !host.ptr
  %free_name = host.string "cudaFree" : !host.ptr<"const char">
  %device_name = host.string "cudaGetDevice" : !host.ptr<"const char">
  %attribute_name = host.string "cudaDeviceGetAttribute" : !host.ptr<"const char">
  %integrated_attribute = arith.constant 18 : i32
  %mapping_attribute = arith.constant 19 : i32
  host.comment "To free nothing makes the context, which takes memory of its own."
  %free_status = host.cuda <cudaFree>(%null) : (!host.ptr) -> i32
  %free_code = host.call "laneCheckCuda"(%error, %free_name, %free_status, %none) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
  %free_ok = arith.cmpi eq, %free_code, %ok : i32
  %code = scf.if %free_ok -> i32 {
    %device_status, %device = host.cuda <cudaGetDevice>() : () -> (i32, i32)
    %device_code = host.call "laneCheckCuda"(%error, %device_name, %device_status, %none) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
    %device_ok = arith.cmpi eq, %device_code, %ok : i32
    %asked = scf.if %device_ok -> i32 {
      %integrated_status, %integrated = host.cuda <cudaDeviceGetAttribute>(%integrated_attribute, %device) : (i32, i32) -> (i32, i32)
      %integrated_code = host.call "laneCheckCuda"(%error, %attribute_name, %integrated_status, %none) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
      %integrated_ok = arith.cmpi eq, %integrated_code, %ok : i32
      %mapped = scf.if %integrated_ok -> i32 {
        %mapping_status, %mapping = host.cuda <cudaDeviceGetAttribute>(%mapping_attribute, %device) : (i32, i32) -> (i32, i32)
        %mapping_code = host.call "laneCheckCuda"(%error, %attribute_name, %mapping_status, %none) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
        host.set_field %integrated, %program["is_integrated"] of @lane_program : i32, !host.ptr<"lane_program">
        host.set_field %mapping, %program["can_map_host"] of @lane_program : i32, !host.ptr<"lane_program">
        %shares_memory = arith.cmpi ne, %integrated, %ok : i32
        scf.if %shares_memory {
          %line = host.string "the device's memory is the host's: nothing is moved" : !host.ptr<"const char">
          host.call "laneLog"(%options, %line, %none) : (!host.ptr<"const lane_options">, !host.ptr<"const char">, i64) -> ()
        }
        scf.yield %mapping_code : i32
      } else {
        scf.yield %integrated_code : i32
      }
      scf.yield %mapped : i32
    } else {
      scf.yield %device_code : i32
    }
    scf.yield %asked : i32
  } else {
    scf.yield %free_code : i32
  }
  return %code : i32
}

host.comment "The budget: the device memory given, or what is free, less the spare."
func.func private @take_budget(%program: !host.ptr<"lane_program">, %options: !host.ptr<"const lane_options">, %error: !host.ptr<"lane_error">) -> i32 {
  %none = arith.constant 0 : i64
  %ok = arith.constant 0 : i32
  %spare = arith.constant ${SPARE_BYTES} : i64
  %given = host.get_field %options["device_bytes"] of @lane_options : !host.ptr<"const lane_options"> -> i64
  %is_asked = arith.cmpi eq, %given, %none : i64
  %code = scf.if %is_asked -> i32 {
    %name = host.string "cudaMemGetInfo" : !host.ptr<"const char">
    %status, %free, %total = host.cuda <cudaMemGetInfo>() : () -> (i32, i64, i64)
    %checked = host.call "laneCheckCuda"(%error, %name, %status, %none) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
    %budget = arith.subi %free, %spare overflow<nsw> : i64
    host.set_field %budget, %program["budget_bytes"] of @lane_program : i64, !host.ptr<"lane_program">
    scf.yield %checked : i32
  } else {
    %budget = arith.subi %given, %spare overflow<nsw> : i64
    host.set_field %budget, %program["budget_bytes"] of @lane_program : i64, !host.ptr<"lane_program">
    %is_negative = arith.cmpi slt, %given, %none : i64
    %checked = scf.if %is_negative -> i32 {
      %bad_option = arith.constant 6 : i32
      %text = host.string "device_bytes is {}" : !host.ptr<"const char">
      %failed = host.call "laneFail"(%error, %bad_option, %text, %given, %none) : (!host.ptr<"lane_error">, i32, !host.ptr<"const char">, i64, i64) -> i32
      scf.yield %failed : i32
    } else {
      scf.yield %ok : i32
    }
    scf.yield %checked : i32
  }
  return %code : i32
}

host.comment "Places on the budget, and refuses what the device cannot keep."
func.func private @place_or_refuse(%program: !host.ptr<"lane_program">, %error: !host.ptr<"lane_error">, %budget: i64) -> i32 {
  %ok = arith.constant 0 : i32
  %none = arith.constant 0 : i64
  %refused = arith.constant 1 : i32
  %no = arith.constant false
  %pinned = arith.constant ${PINNED_BYTES} : i64
  %whole = arith.constant ${WHOLE_BYTES} : i64
  %fits = func.call @place(%program, %budget) : (!host.ptr<"lane_program">, i64) -> i1
  %code = scf.if %fits -> i32 {
    %moved = host.get_field %program["moved"] of @lane_program : !host.ptr<"lane_program"> -> i64
    %integrated = host.get_field %program["is_integrated"] of @lane_program : !host.ptr<"lane_program"> -> i32
    %mapping = host.get_field %program["can_map_host"] of @lane_program : !host.ptr<"lane_program"> -> i32
    %has_moved = arith.cmpi ne, %moved, %none : i64
    %is_integrated = arith.cmpi ne, %integrated, %ok : i32
    %cannot_map = arith.cmpi eq, %mapping, %ok : i32
    %in_vain = arith.select %has_moved, %is_integrated, %no : i1
    %impossible = arith.select %has_moved, %cannot_map, %no : i1
    %checked = scf.if %in_vain -> i32 {
      %text = host.string "the device's memory is the host's, so nothing is moved: the program needs {} bytes, but the budget is {} bytes" : !host.ptr<"const char">
      %failed = host.call "laneFail"(%error, %refused, %text, %whole, %budget) : (!host.ptr<"lane_error">, i32, !host.ptr<"const char">, i64, i64) -> i32
      scf.yield %failed : i32
    } else {
      %mappable = scf.if %impossible -> i32 {
        %cannot = arith.constant 4 : i32
        %host = host.get_field %program["host_bytes"] of @lane_program : !host.ptr<"lane_program"> -> i64
        %text = host.string "the device cannot map host memory, where {} bytes would have to live on a budget of {} bytes" : !host.ptr<"const char">
        %failed = host.call "laneFail"(%error, %cannot, %text, %host, %budget) : (!host.ptr<"lane_error">, i32, !host.ptr<"const char">, i64, i64) -> i32
        scf.yield %failed : i32
      } else {
        scf.yield %ok : i32
      }
      scf.yield %mappable : i32
    }
    scf.yield %checked : i32
  } else {
    %text = host.string "the program needs {} bytes on the device at least, but the budget is {} bytes" : !host.ptr<"const char">
    %failed = host.call "laneFail"(%error, %refused, %text, %pinned, %budget) : (!host.ptr<"lane_error">, i32, !host.ptr<"const char">, i64, i64) -> i32
    scf.yield %failed : i32
  }
  return %code : i32
}

//===----------------------------------------------------------------------===//
// Three allocations and no more
//===----------------------------------------------------------------------===//

host.comment "The arena does not depend on the budget."
func.func private @allocate_arena(%program: !host.ptr<"lane_program">, %error: !host.ptr<"lane_error">) -> i32 {
  %ok = arith.constant 0 : i32
  %none = arith.constant 0 : i64
  %bytes = arith.constant ${ARENA_BYTES} : i64
  %needs_some = arith.cmpi ne, %bytes, %none : i64
  %code = scf.if %needs_some -> i32 {
    %name = host.string "cudaMalloc" : !host.ptr<"const char">
    %status, %arena = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
    %checked = host.call "laneCheckCuda"(%error, %name, %status, %bytes) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
    %worked = arith.cmpi eq, %status, %ok : i32
    scf.if %worked {
      host.set_field %arena, %program["arena"] of @lane_program : !host.ptr, !host.ptr<"lane_program">
    }
    scf.yield %checked : i32
  } else {
    scf.yield %ok : i32
  }
  return %code : i32
}

host.comment "The device pool. Where the device no longer has what it had when it was asked,"
host.comment "the program goes further down the order rather than fail."
func.func private @allocate_pool(%program: !host.ptr<"lane_program">, %options: !host.ptr<"const lane_options">, %error: !host.ptr<"lane_error">) -> i32 {
  %ok = arith.constant 0 : i32
  %out_of_memory = arith.constant 2 : i32
  %one = arith.constant 1 : i64
  host.comment "No code yet: the next attempt is to be made."
  %undecided = arith.constant -1 : i32
  %arena_bytes = arith.constant ${ARENA_BYTES} : i64
  %name = host.string "cudaMalloc" : !host.ptr<"const char">
  %line = host.string "the device has no {} bytes left for its pool: more is moved" : !host.ptr<"const char">
  %result = scf.while (%code = %undecided) : (i32) -> i32 {
    %again = arith.cmpi eq, %code, %undecided : i32
    scf.condition(%again) %code : i32
  } do {
  ^bb0(%code: i32):
    %device_bytes = host.get_field %program["device_bytes"] of @lane_program : !host.ptr<"lane_program"> -> i64
    %bytes = arith.subi %device_bytes, %arena_bytes overflow<nsw> : i64
    %status, %pool = host.cuda <cudaMalloc>(%bytes) : (i64) -> (i32, !host.ptr)
    %worked = arith.cmpi eq, %status, %ok : i32
    %is_full = arith.cmpi eq, %status, %out_of_memory : i32
    %next = scf.if %worked -> i32 {
      host.set_field %pool, %program["pool"] of @lane_program : !host.ptr, !host.ptr<"lane_program">
      scf.yield %ok : i32
    } else {
      %moved = scf.if %is_full -> i32 {
        host.comment "The error is dealt with: the program around this one must not meet it."
        %cleared = host.cuda <cudaGetLastError>() : () -> i32
        host.call "laneLog"(%options, %line, %bytes) : (!host.ptr<"const lane_options">, !host.ptr<"const char">, i64) -> ()
        %less = arith.subi %device_bytes, %one overflow<nsw> : i64
        %placed = func.call @place_or_refuse(%program, %error, %less) : (!host.ptr<"lane_program">, !host.ptr<"lane_error">, i64) -> i32
        %may = arith.cmpi eq, %placed, %ok : i32
        %code_now = arith.select %may, %undecided, %placed : i32
        scf.yield %code_now : i32
      } else {
        %failed = host.call "laneCheckCuda"(%error, %name, %status, %bytes) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
        scf.yield %failed : i32
      }
      scf.yield %moved : i32
    }
    scf.yield %next : i32
  }
  return %result : i32
}

host.comment "The host pool, pinned and mapped, for what has moved; none where nothing has."
func.func private @allocate_host_pool(%program: !host.ptr<"lane_program">, %error: !host.ptr<"lane_error">) -> i32 {
  %ok = arith.constant 0 : i32
  %none = arith.constant 0 : i64
  host.comment "Mapped, and write-combined: the device reads it, the host only writes."
  %flags = arith.constant 6 : i32
  %bytes = host.get_field %program["host_bytes"] of @lane_program : !host.ptr<"lane_program"> -> i64
  %needs_some = arith.cmpi ne, %bytes, %none : i64
  %code = scf.if %needs_some -> i32 {
    %status, %pool = host.cuda <cudaHostAlloc>(%bytes, %flags) : (i64, i32) -> (i32, !host.ptr)
    %checked = host.call "laneCheckPinned"(%error, %status, %bytes) : (!host.ptr<"lane_error">, i32, i64) -> i32
    %worked = arith.cmpi eq, %checked, %ok : i32
    %mapped_code = scf.if %worked -> i32 {
      host.set_field %pool, %program["host_pool"] of @lane_program : !host.ptr, !host.ptr<"lane_program">
      %name = host.string "cudaHostGetDevicePointer" : !host.ptr<"const char">
      %mapped_status, %mapped = host.cuda <cudaHostGetDevicePointer>(%pool, %ok) : (!host.ptr, i32) -> (i32, !host.ptr)
      host.set_field %mapped, %program["mapped_pool"] of @lane_program : !host.ptr, !host.ptr<"lane_program">
      %mapped_checked = host.call "laneCheckCuda"(%error, %name, %mapped_status, %bytes) : (!host.ptr<"lane_error">, !host.ptr<"const char">, i32, i64) -> i32
      scf.yield %mapped_checked : i32
    } else {
      scf.yield %checked : i32
    }
    scf.yield %mapped_code : i32
  } else {
    scf.yield %ok : i32
  }
  return %code : i32
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

host.comment "Gives each upload its place in its pool: on the device after what never moves."
func.func private @lay_out_uploads(%program: !host.ptr<"lane_program">) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %on_device = arith.constant 0 : i8
  %fixed = arith.constant ${FIXED_BYTES} : i64
  %uploads = arith.constant ${NUM_UPLOADS} : i64
  %flags = host.get_field %program["on_host"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr<"int8_t">
  %offsets = host.get_field %program["upload_offsets"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr<"int64_t">
  %device_end, %host_end = scf.for %rank = %zero to %uploads step %one
      iter_args(%device = %fixed, %host = %zero) -> (i64, i64) : i64 {
    %flag = host.load %flags[%rank] : !host.ptr<"int8_t"> -> i8
    %is_on_host = arith.cmpi ne, %flag, %on_device : i8
    %bytes = host.table_load @upload_bytes[%rank] : i64
    %offset = arith.select %is_on_host, %host, %device : i64
    host.store %offset, %offsets[%rank] : i64, !host.ptr<"int64_t">
    %on_host_bytes = arith.select %is_on_host, %bytes, %zero : i64
    %on_device_bytes = arith.select %is_on_host, %zero, %bytes : i64
    %host_next = arith.addi %host, %on_host_bytes overflow<nsw> : i64
    %device_next = arith.addi %device, %on_device_bytes overflow<nsw> : i64
    scf.yield %device_next, %host_next : i64, i64
  }
  return
}

host.comment "Fills the table of pointers. An entry's base is the arena (-2), the pool (-1) or"
host.comment "the upload of that rank."
func.func private @map_pointers(%program: !host.ptr<"lane_program">) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %on_device = arith.constant 0 : i8
  %pool_base = arith.constant -1 : i64
  %count = arith.constant ${NUM_POINTERS} : i64
  %arena = host.get_field %program["arena"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr
  %pool = host.get_field %program["pool"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr
  %mapped = host.get_field %program["mapped_pool"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr
  %pointers = host.get_field %program["pointers"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr<"void *">
  %flags = host.get_field %program["on_host"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr<"int8_t">
  %offsets = host.get_field %program["upload_offsets"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr<"int64_t">
  scf.for %which = %zero to %count step %one : i64 {
    %base = host.table_load @pointer_bases[%which] : i64
    %offset = host.table_load @pointer_offsets[%which] : i64
    %is_upload = arith.cmpi sge, %base, %zero : i64
    %start, %skip = scf.if %is_upload -> (!host.ptr, i64) {
      %flag = host.load %flags[%base] : !host.ptr<"int8_t"> -> i8
      %is_on_host = arith.cmpi ne, %flag, %on_device : i8
      %side = arith.select %is_on_host, %mapped, %pool : !host.ptr
      %upload = host.load %offsets[%base] : !host.ptr<"int64_t"> -> i64
      scf.yield %side, %upload : !host.ptr, i64
    } else {
      %is_pool = arith.cmpi eq, %base, %pool_base : i64
      %side = arith.select %is_pool, %pool, %arena : !host.ptr
      scf.yield %side, %zero : !host.ptr, i64
    }
    %bytes = arith.addi %skip, %offset overflow<nsw> : i64
    %pointer = host.offset %start, %bytes : !host.ptr -> !host.ptr
    host.store %pointer, %pointers[%which] : !host.ptr, !host.ptr<"void *">
  }
  return
}

//===----------------------------------------------------------------------===//
// Open and close
//===----------------------------------------------------------------------===//

host.comment "Frees everything that the program has, in the reverse order."
func.func @${NAME}_close(%program: !host.ptr<"lane_program">) {
  %is_program = host.is_set %program : !host.ptr<"lane_program">
  scf.if %is_program {
    %host_pool = host.get_field %program["host_pool"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr
    %has_host_pool = host.is_set %host_pool : !host.ptr
    scf.if %has_host_pool {
      %status = host.cuda <cudaFreeHost>(%host_pool) : (!host.ptr) -> i32
    }
    %pool = host.get_field %program["pool"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr
    %has_pool = host.is_set %pool : !host.ptr
    scf.if %has_pool {
      %status = host.cuda <cudaFree>(%pool) : (!host.ptr) -> i32
    }
    %arena = host.get_field %program["arena"] of @lane_program : !host.ptr<"lane_program"> -> !host.ptr
    %has_arena = host.is_set %arena : !host.ptr
    scf.if %has_arena {
      %status = host.cuda <cudaFree>(%arena) : (!host.ptr) -> i32
    }
    host.call "laneDeleteProgram"(%program) : (!host.ptr<"lane_program">) -> ()
  }
  return
}

host.comment "Allocates what the placement says, and fills it."
func.func private @allocate_and_fill(%program: !host.ptr<"lane_program">, %options: !host.ptr<"const lane_options">, %error: !host.ptr<"lane_error">) -> i32 {
  %ok = arith.constant 0 : i32
  %arena_code = func.call @allocate_arena(%program, %error) : (!host.ptr<"lane_program">, !host.ptr<"lane_error">) -> i32
  %has_arena = arith.cmpi eq, %arena_code, %ok : i32
  %code = scf.if %has_arena -> i32 {
    %pool_code = func.call @allocate_pool(%program, %options, %error) : (!host.ptr<"lane_program">, !host.ptr<"const lane_options">, !host.ptr<"lane_error">) -> i32
    %has_pool = arith.cmpi eq, %pool_code, %ok : i32
    %pooled = scf.if %has_pool -> i32 {
      %host_code = func.call @allocate_host_pool(%program, %error) : (!host.ptr<"lane_program">, !host.ptr<"lane_error">) -> i32
      %has_host = arith.cmpi eq, %host_code, %ok : i32
      %hosted = scf.if %has_host -> i32 {
        func.call @lay_out_uploads(%program) : (!host.ptr<"lane_program">) -> ()
        func.call @map_pointers(%program) : (!host.ptr<"lane_program">) -> ()
        %files = arith.constant ${NUM_FILES} : i64
        %segments = arith.constant ${NUM_SEGMENTS} : i64
        %file_names = host.table_address @file_names : !host.ptr<"const char">
        %table = host.table_address @segments : !host.ptr<"const int64_t">
        %names = host.table_address @segment_names : !host.ptr<"const char">
        %values = host.table_address @values : !host.ptr<"const float">
        %uploaded = host.call "laneUpload"(%program, %options, %error, %file_names, %files, %table, %segments, %names, %values)
          : (!host.ptr<"lane_program">, !host.ptr<"const lane_options">, !host.ptr<"lane_error">, !host.ptr<"const char">, i64, !host.ptr<"const int64_t">, i64, !host.ptr<"const char">, !host.ptr<"const float">) -> i32
        scf.yield %uploaded : i32
      } else {
        scf.yield %host_code : i32
      }
      scf.yield %hosted : i32
    } else {
      scf.yield %pool_code : i32
    }
    scf.yield %pooled : i32
  } else {
    scf.yield %arena_code : i32
  }
  return %code : i32
}

host.comment "Budget, placement, allocations, upload: each where what came before it worked."
func.func private @start(%program: !host.ptr<"lane_program">, %options: !host.ptr<"const lane_options">, %error: !host.ptr<"lane_error">) -> i32 {
  %ok = arith.constant 0 : i32
  %asked = func.call @ask_device(%program, %options, %error) : (!host.ptr<"lane_program">, !host.ptr<"const lane_options">, !host.ptr<"lane_error">) -> i32
  %was_asked = arith.cmpi eq, %asked, %ok : i32
  %code = scf.if %was_asked -> i32 {
    %taken = func.call @take_budget(%program, %options, %error) : (!host.ptr<"lane_program">, !host.ptr<"const lane_options">, !host.ptr<"lane_error">) -> i32
    %has_budget = arith.cmpi eq, %taken, %ok : i32
    %budgeted = scf.if %has_budget -> i32 {
      %budget = host.get_field %program["budget_bytes"] of @lane_program : !host.ptr<"lane_program"> -> i64
      %placed = func.call @place_or_refuse(%program, %error, %budget) : (!host.ptr<"lane_program">, !host.ptr<"lane_error">, i64) -> i32
      %is_placed = arith.cmpi eq, %placed, %ok : i32
      %place_only = host.get_field %options["place_only"] of @lane_options : !host.ptr<"const lane_options"> -> i32
      %goes_on = arith.cmpi eq, %place_only, %ok : i32
      %no = arith.constant false
      %allocates = arith.select %is_placed, %goes_on, %no : i1
      %filled = scf.if %allocates -> i32 {
        %done = func.call @allocate_and_fill(%program, %options, %error) : (!host.ptr<"lane_program">, !host.ptr<"const lane_options">, !host.ptr<"lane_error">) -> i32
        scf.yield %done : i32
      } else {
        scf.yield %placed : i32
      }
      scf.yield %filled : i32
    } else {
      scf.yield %taken : i32
    }
    scf.yield %budgeted : i32
  } else {
    scf.yield %asked : i32
  }
  return %code : i32
}

host.comment "Opens the program. Whatever fails, nothing is left behind."
func.func @${NAME}_open(%given: !host.ptr<"const lane_options">, %out: !host.ptr<"lane_program *">, %error: !host.ptr<"lane_error">) -> i32 {
  %zero = arith.constant 0 : i64
  %ok = arith.constant 0 : i32
  %pointers = arith.constant ${NUM_POINTERS} : i64
  %uploads = arith.constant ${NUM_UPLOADS} : i64
  %nothing = host.null : !host.ptr<"lane_program">
  host.store %nothing, %out[%zero] : !host.ptr<"lane_program">, !host.ptr<"lane_program *">
  %options = host.call "laneOptionsOrDefaults"(%given) : (!host.ptr<"const lane_options">) -> !host.ptr<"const lane_options">
  %program = host.call "laneNewProgram"(%error, %pointers, %uploads) : (!host.ptr<"lane_error">, i64, i64) -> !host.ptr<"lane_program">
  %is_program = host.is_set %program : !host.ptr<"lane_program">
  %code = scf.if %is_program -> i32 {
    %started = func.call @start(%program, %options, %error) : (!host.ptr<"lane_program">, !host.ptr<"const lane_options">, !host.ptr<"lane_error">) -> i32
    %works = arith.cmpi eq, %started, %ok : i32
    scf.if %works {
      host.store %program, %out[%zero] : !host.ptr<"lane_program">, !host.ptr<"lane_program *">
    } else {
      func.call @${NAME}_close(%program) : (!host.ptr<"lane_program">) -> ()
    }
    scf.yield %started : i32
  } else {
    %no_memory = arith.constant 2 : i32
    scf.yield %no_memory : i32
  }
  return %code : i32
}
