package io.probelet.benchmarks;

import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventQueue;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The source files of the methods that another process enters, observed by a debugger. The process
 * continues to run, but slower.
 */
final class CodeTrace implements AutoCloseable {
  private static final String ATTACH = "com.sun.jdi.SocketAttach";

  /** The process does not wait for events. */
  private static final int SETTLE_MILLIS = 2_000;

  private final VirtualMachine machine;
  private final NavigableSet<String> files = new ConcurrentSkipListSet<>();

  private CodeTrace(VirtualMachine machine) {
    this.machine = machine;
  }

  /** {@return the options that let a JVM be traced at a port of loopback} */
  static String jvmOptions(int port) {
    return "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + port;
  }

  /**
   * Attaches to a process started with {@link #jvmOptions}, and traces a package and those below
   * it.
   */
  static CodeTrace attach(int port, String packages) throws IOException {
    AttachingConnector connector =
        Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(one -> one.name().equals(ATTACH))
            .findFirst()
            .orElseThrow();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    Objects.requireNonNull(arguments.get("hostname")).setValue("127.0.0.1");
    Objects.requireNonNull(arguments.get("port")).setValue(Integer.toString(port));
    CodeTrace trace;
    try {
      trace = new CodeTrace(connector.attach(arguments));
    } catch (IllegalConnectorArgumentsException impossible) {
      throw new IOException(impossible);
    }
    Thread.ofPlatform().daemon().name("trace").start(trace::follow);
    MethodEntryRequest request = trace.machine.eventRequestManager().createMethodEntryRequest();
    request.addClassFilter(packages + ".*");
    request.setSuspendPolicy(EventRequest.SUSPEND_NONE);
    request.enable();
    return trace;
  }

  private void follow() {
    EventQueue queue = machine.eventQueue();
    try {
      while (true) {
        for (Event event : queue.remove()) {
          if (event instanceof MethodEntryEvent entry) {
            add(entry.location());
          }
        }
      }
    } catch (VMDisconnectedException ended) {
      // the trace has ended
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void add(Location location) {
    try {
      files.add(location.sourceName().replace(".java", ""));
    } catch (AbsentInformationException generated) {
      // a lambda's class; its code is in a file that is counted already
    }
  }

  /** Waits until all recent events have arrived. */
  void settle() {
    Waiting.forMillis(SETTLE_MILLIS);
  }

  /** {@return the files so far, without their suffix; resets the list} */
  NavigableSet<String> take() {
    NavigableSet<String> taken = new TreeSet<>(files);
    files.clear();
    return taken;
  }

  @Override
  public void close() {
    try {
      machine.dispose();
    } catch (VMDisconnectedException ended) {
      // it is gone
    }
  }
}
