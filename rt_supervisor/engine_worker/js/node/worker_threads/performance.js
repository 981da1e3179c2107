// @ts-check
'use strict';
// Owns: `worker.performance`: how busy a worker's loop was. The loop does not tell; what it says is that it was idle.

class PerformanceView {
  #began = 0;

  begin() {
    this.#began = host.native.now();
  }
  end() {
    this.#began = 0;
  }

  eventLoopUtilization = () => {
    const idle = this.#began === 0 ? 0 : host.native.now() - this.#began;
    return { idle, active: 0, utilization: 0 };
  };
}

module.exports = { PerformanceView };
