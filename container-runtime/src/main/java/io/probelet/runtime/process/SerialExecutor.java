package io.probelet.runtime.process;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after the other, in the order they come, on a virtual thread that exists only
 * while there are any. Tasks are as many as there are happenings in a pod, a handful at a time.
 */
final class SerialExecutor implements Executor {
  private static final Logger log = LoggerFactory.getLogger(SerialExecutor.class);

  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private boolean running;

  SerialExecutor(String name) {
    this.name = name;
  }

  @Override
  public void execute(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      if (!running) {
        running = true;
        Thread.ofVirtual().name(name).start(this::drain);
      }
    } finally {
      lock.unlock();
    }
  }

  private void drain() {
    while (true) {
      Runnable task;
      lock.lock();
      try {
        task = tasks.poll();
        if (task == null) {
          running = false;
          return;
        }
      } finally {
        lock.unlock();
      }
      try {
        task.run();
      } catch (RuntimeException bug) {
        log.error("{}: a task failed; the next goes on", name, bug);
      }
    }
  }
}
