// A step of kernels: two in a gpu.module, and one that is an external C function. The
// values that all steps made are added up in state.

module @tiny attributes {gpu.container_module} {
  gpu.module @kernels {
    // A row of the table.
    gpu.func @gather(%table: memref<64x32xf32>, %ids: memref<1xi64>, %x: memref<32xf32>) kernel {
      %zero = arith.constant 0 : index
      %column = gpu.global_id x
      %id = memref.load %ids[%zero] : memref<1xi64>
      %row = arith.index_cast %id : i64 to index
      %value = memref.load %table[%row, %column] : memref<64x32xf32>
      memref.store %value, %x[%column] : memref<32xf32>
      gpu.return
    }

    // The product of a row of `up` and `x`, added to the sum of that row. The last block
    // has threads that have nothing to do.
    gpu.func @add_product(%x: memref<32xf32>, %up: memref<40x32xf32>, %sums: memref<40xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c40 = arith.constant 40 : index
      %start = arith.constant 0.0 : f32
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %first = arith.muli %block, %size : index
      %row = arith.addi %first, %thread : index
      %isIn = arith.cmpi ult, %row, %c40 : index
      scf.if %isIn {
        %product = scf.for %k = %c0 to %c32 step %c1 iter_args(%sum = %start) -> f32 {
          %a = memref.load %x[%k] : memref<32xf32>
          %b = memref.load %up[%row, %k] : memref<40x32xf32>
          %ab = arith.mulf %a, %b : f32
          %next = arith.addf %sum, %ab : f32
          scf.yield %next : f32
        }
        %old = memref.load %sums[%row] : memref<40xf32>
        %new = arith.addf %old, %product : f32
        memref.store %new, %sums[%row] : memref<40xf32>
      }
      gpu.return
    }
  }

  func.func private @head(memref<40xf32> {bufferization.access = "read"}, f32,
                          memref<64x40xf32>,
                          memref<64xf32> {bufferization.access = "write"})
    attributes {llvm.emit_c_interface}

  func.func @decode(%table: memref<64x32xf32> {lane.weight = "table"},
                    %up: memref<40x32xf32> {lane.weight = "up"},
                    %head: memref<64x40xf32> {lane.weight = "head"},
                    %sums: memref<40xf32> {lane.state = "sums"},
                    %ids: memref<1xi64>, %logits: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %scale = arith.constant 0.25 : f32
    %x = memref.alloc() : memref<32xf32>
    gpu.launch_func @kernels::@gather blocks in (%c2, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%table : memref<64x32xf32>, %ids : memref<1xi64>, %x : memref<32xf32>)
    gpu.launch_func @kernels::@add_product blocks in (%c3, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%x : memref<32xf32>, %up : memref<40x32xf32>, %sums : memref<40xf32>)
    memref.dealloc %x : memref<32xf32>
    func.call @head(%sums, %scale, %head, %logits)
      : (memref<40xf32>, f32, memref<64x40xf32>, memref<64xf32>) -> ()
    return
  }
}
