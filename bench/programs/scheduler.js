// A small operating system: tasks with priorities pass packets through queues,
// run by a scheduler that suspends and resumes them.
const IDLE = 0, WORKER = 1, HANDLER_A = 2, HANDLER_B = 3, DEVICE_A = 4, DEVICE_B = 5;
const RUNNING = 0, RUNNABLE = 1, SUSPENDED = 2, HELD = 4;

class Packet {
  constructor(link, owner, kind) {
    this.link = link;
    this.owner = owner;
    this.kind = kind;
    this.datum = 0;
    this.data = [0, 0, 0, 0];
  }
  appendTo(queue) {
    this.link = null;
    if (queue === null) return this;
    let last = queue;
    while (last.link !== null) last = last.link;
    last.link = this;
    return queue;
  }
}

class Control {
  constructor(next, id, priority, queue, task) {
    this.next = next;
    this.id = id;
    this.priority = priority;
    this.queue = queue;
    this.task = task;
    this.state = queue === null ? SUSPENDED : SUSPENDED | RUNNABLE;
  }
  get blocked() { return (this.state & HELD) !== 0 || this.state === SUSPENDED; }
  run() {
    let packet = null;
    if (this.state === (SUSPENDED | RUNNABLE)) {
      packet = this.queue;
      this.queue = packet.link;
      this.state = this.queue === null ? RUNNING : RUNNABLE;
    }
    return this.task.run(packet);
  }
  accept(task, packet) {
    if (this.queue === null) {
      this.queue = packet;
      this.state |= RUNNABLE;
      return this.priority > task.priority ? this : task;
    }
    this.queue = packet.appendTo(this.queue);
    return task;
  }
}

class Scheduler {
  constructor() {
    this.blocks = new Array(6).fill(null);
    this.list = null;
    this.current = null;
    this.currentId = IDLE;
    this.queued = 0;
    this.held = 0;
  }
  add(id, priority, queue, task, running) {
    this.list = new Control(this.list, id, priority, queue, task);
    this.blocks[id] = this.list;
    if (running) this.list.state = RUNNING;
  }
  schedule() {
    this.current = this.list;
    while (this.current !== null) {
      if (this.current.blocked) {
        this.current = this.current.next;
      } else {
        this.currentId = this.current.id;
        this.current = this.current.run();
      }
    }
  }
  release(id) {
    const t = this.blocks[id];
    t.state &= ~HELD;
    return t.priority > this.current.priority ? t : this.current;
  }
  hold() {
    this.held++;
    this.current.state |= HELD;
    return this.current.next;
  }
  wait() {
    this.current.state |= SUSPENDED;
    return this.current;
  }
  queue(packet) {
    const t = this.blocks[packet.owner];
    this.queued++;
    packet.link = null;
    packet.owner = this.currentId;
    return t.accept(this.current, packet);
  }
}

class IdleTask {
  constructor(s, count) {
    this.s = s;
    this.count = count;
    this.bits = 1;
  }
  run() {
    if (--this.count === 0) return this.s.hold();
    if ((this.bits & 1) === 0) {
      this.bits >>= 1;
      return this.s.release(DEVICE_A);
    }
    this.bits = (this.bits >> 1) ^ 0xd008;
    return this.s.release(DEVICE_B);
  }
}

class DeviceTask {
  constructor(s) {
    this.s = s;
    this.pending = null;
  }
  run(packet) {
    if (packet !== null) {
      this.pending = packet;
      return this.s.hold();
    }
    if (this.pending === null) return this.s.wait();
    const p = this.pending;
    this.pending = null;
    return this.s.queue(p);
  }
}

class WorkerTask {
  constructor(s) {
    this.s = s;
    this.to = HANDLER_A;
    this.letter = 0;
  }
  run(packet) {
    if (packet === null) return this.s.wait();
    this.to = this.to === HANDLER_A ? HANDLER_B : HANDLER_A;
    packet.owner = this.to;
    packet.datum = 0;
    for (let i = 0; i < 4; i++) {
      this.letter = this.letter % 26 + 1;
      packet.data[i] = this.letter;
    }
    return this.s.queue(packet);
  }
}

class HandlerTask {
  constructor(s) {
    this.s = s;
    this.work = null;
    this.devices = null;
  }
  run(packet) {
    if (packet !== null) {
      if (packet.kind === 1) this.work = packet.appendTo(this.work);
      else this.devices = packet.appendTo(this.devices);
    }
    if (this.work !== null) {
      const w = this.work;
      if (w.datum < 4) {
        if (this.devices !== null) {
          const d = this.devices;
          this.devices = d.link;
          d.datum = w.data[w.datum++];
          return this.s.queue(d);
        }
      } else {
        this.work = w.link;
        return this.s.queue(w);
      }
    }
    return this.s.wait();
  }
}

function main() {
  const s = new Scheduler();
  s.add(IDLE, 0, null, new IdleTask(s, 20000), true);
  let q = new Packet(null, WORKER, 1);
  q = new Packet(q, WORKER, 1);
  s.add(WORKER, 1000, q, new WorkerTask(s), false);
  for (const [handler, device, priority] of [[HANDLER_A, DEVICE_A, 2000], [HANDLER_B, DEVICE_B, 3000]]) {
    q = null;
    for (let i = 0; i < 3; i++) q = new Packet(q, device, 0);
    s.add(handler, priority, q, new HandlerTask(s), false);
  }
  s.add(DEVICE_A, 4000, null, new DeviceTask(s), false);
  s.add(DEVICE_B, 5000, null, new DeviceTask(s), false);
  s.schedule();
  return s.queued + ' ' + s.held;
}
