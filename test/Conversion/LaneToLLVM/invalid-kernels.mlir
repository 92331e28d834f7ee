// RUN: lane-opt %s --gpu-launches-to-loops --split-input-file --verify-diagnostics

// Threads that work together cannot run one after the other.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reverse(%x: memref<32xf32>) kernel {
      // expected-error @+1 {{kernel 'reverse' has 'gpu.barrier', which loops over its threads cannot run on the host}}
      gpu.barrier
      gpu.return
    }
  }
  func.func @step(%x: memref<32xf32>) attributes {lane.step = @p::@f} {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@reverse blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%x : memref<32xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @+1 {{kernel 'shared' has workgroup memory, which loops over its threads do not have on the host}}
    gpu.func @shared(%x: memref<32xf32>) workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      gpu.return
    }
  }
  func.func @step(%x: memref<32xf32>) attributes {lane.step = @p::@f} {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@shared blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%x : memref<32xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @+1 {{kernel 'own' has a memref of type 'memref<1xf32, #gpu.address_space<private>>', which is not memory of the host}}
    gpu.func @own(%x: memref<32xf32>) private(%s : memref<1xf32, #gpu.address_space<private>>) kernel {
      gpu.return
    }
  }
  func.func @step(%x: memref<32xf32>) attributes {lane.step = @p::@f} {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@own blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%x : memref<32xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @allocates() kernel {
      // expected-error @+1 {{kernel 'allocates' has a memref of type 'memref<1xf32, 3>', which is not memory of the host}}
      %s = memref.alloca() : memref<1xf32, 3>
      gpu.return
    }
  }
  func.func @step() attributes {lane.step = @p::@f} {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@allocates blocks in (%one, %one, %one) threads in (%one, %one, %one)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    func.func private @f()
    gpu.func @calls() kernel {
      // expected-error @+1 {{kernel 'calls' calls a function: inline it before this pass}}
      func.call @f() : () -> ()
      gpu.return
    }
  }
  func.func @step() attributes {lane.step = @p::@f} {
    %one = arith.constant 1 : index
    gpu.launch_func @kernels::@calls blocks in (%one, %one, %one) threads in (%one, %one, %one)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @ptx() attributes {gpu.kernel}
  }
  func.func @step() attributes {lane.step = @p::@f} {
    %one = arith.constant 1 : index
    // expected-error @+1 {{kernel 'ptx' has no code that can run on the host}}
    gpu.launch_func @kernels::@ptx blocks in (%one, %one, %one) threads in (%one, %one, %one)
    return
  }
}

// -----

func.func @step() attributes {lane.step = @p::@f} {
  // expected-error @+1 {{'gpu.alloc' op cannot run on the host}}
  %x = gpu.alloc() : memref<32xf32>
  return
}
