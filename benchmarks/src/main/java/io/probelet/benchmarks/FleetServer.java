package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The API server under a fleet of agents. */
interface FleetServer extends AutoCloseable {
  /**
   * A request of an agent.
   *
   * @param millis when it was answered, or its watch began; milliseconds since 1970
   * @param verb as in RBAC, such as watch
   * @param resource with its subresource, such as pods/status
   * @param code the HTTP status
   */
  record Seen(long millis, String verb, String resource, int code) {
    boolean isWatch() {
      return verb.equals("watch");
    }
  }

  /** {@return what it is, for people} */
  String name();

  /** {@return the kubeconfig of an agent} */
  Path kubeconfig();

  /** {@return the requests of agents so far, in the order of their answers} */
  List<Seen> seen() throws IOException;

  /** {@return watches of agents that are open now} */
  int watches() throws IOException;

  /** {@return bytes of responses and watch events so far; NaN if unknown} */
  double bytes() throws IOException;

  /** {@return CPU-ms of the server so far; NaN if unknown} */
  double cpuMillis();

  /** {@return its memory, for people} */
  String memory();

  /** Changes a label of a pod. */
  void change(String pod, int value) throws IOException;

  /** Ends the server; its objects stay. */
  void stop();

  /** Starts it again. */
  void start() throws IOException;

  @Override
  void close();
}
