package io.probelet.simulation.control;

import io.probelet.controller.ClusterController;
import io.probelet.controller.ControllerPorts;
import io.probelet.controller.ControllerSettings;
import io.probelet.controller.remediation.WebhookListener;
import io.probelet.remediator.controller.HookEndpoint;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.web.http.HttpServer;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.PostResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.scrape.ScrapeSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A replica of {@code probelet controller} with its real parts, which may crash between any two
 * steps and is started again as a new process.
 *
 * <p>Not thread-safe: used by events of the world.
 */
public final class ControllerProcess {
  private static final ListenAddress LISTEN = new ListenAddress("127.0.0.1", 20258);

  private final Machine machine;
  private final String name;
  private final SimulatedApiServer server;
  private final ControllerSettings settings;
  private final HookEndpoint hooks;
  private int starts;
  private @Nullable SimulatedProcess process;
  private @Nullable ClusterController controller;
  private Map<String, PostResource> webhooks = Map.of();

  /**
   * Prepares a replica that does not run yet.
   *
   * @param machine where it runs
   * @param name of the pod
   * @param settings which parts, and how
   * @param hooks answers the calls of its hook remediations
   */
  public ControllerProcess(
      Machine machine,
      String name,
      SimulatedApiServer server,
      ControllerSettings settings,
      HookEndpoint hooks) {
    this.machine = machine;
    this.name = name;
    this.server = server;
    this.settings = settings;
    this.hooks = hooks;
  }

  /** {@return its machine} */
  public Machine machine() {
    return machine;
  }

  /** {@return its process; empty before the first start and after the end} */
  public Optional<SimulatedProcess> process() {
    return Optional.ofNullable(process);
  }

  /** {@return whether it has been started and has not ended} */
  public boolean isUp() {
    return process != null;
  }

  /** Starts a new process, which knows nothing of the one before. */
  public void start() {
    kill();
    starts++;
    // Each process has randomness, and so an identity, of its own.
    SimulatedProcess begun =
        new SimulatedProcess(machine, starts == 1 ? name : name + "." + starts);
    process = begun;
    begun.start("main", () -> run(begun));
  }

  private void run(SimulatedProcess begun) {
    ControllerPorts ports =
        new ControllerPorts(
            begun,
            begun.random("controller"),
            (_, _, _) -> new Unserved(),
            (_, _, served) -> new Admission(served),
            hooks);
    try {
      controller =
          new ClusterController(
              name,
              "simulated",
              "probelet-system",
              LISTEN,
              ScrapeSettings.OFF,
              server.access(begun),
              settings,
              ports);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Ends it between two steps, as a crash does. */
  public void kill() {
    if (process != null) {
      process.kill();
      ended();
    }
  }

  private void ended() {
    process = null;
    controller = null;
    webhooks = Map.of();
  }

  /** Ends it as a rolling update does: it releases its leases first. */
  public void terminate() {
    SimulatedProcess ending = process;
    ClusterController closing = controller;
    if (ending == null || closing == null) {
      kill(); // the signal has come before there was anything to release
      return;
    }
    ending.start(
        "shutdown",
        () -> {
          closing.close();
          ending.kill();
          if (process == ending) {
            ended();
          }
        });
  }

  /** Stops all its threads until {@link #thaw}; its clocks go on. */
  public void freeze() {
    process().ifPresent(SimulatedProcess::freeze);
  }

  /** Lets its threads go on. */
  public void thaw() {
    process().ifPresent(SimulatedProcess::thaw);
  }

  /**
   * Posts to a webhook, if it runs and has such a path.
   *
   * @param path such as {@code /validate-nodehealthcheck}
   * @param body an AdmissionReview
   * @param then receives the answer, in a thread of the process
   */
  public void post(String path, byte[] body, Consumer<Answer> then) {
    PostResource webhook = webhooks.get(path);
    SimulatedProcess asked = process;
    if (webhook == null || asked == null) {
      return;
    }
    asked.start(
        "post " + path,
        () -> {
          try {
            then.accept(webhook.post(body));
          } catch (Exception unanswered) {
            throw new IllegalStateException("post " + path, unanswered);
          }
        });
  }

  /** The server of status and metrics, which receives no requests in the simulation. */
  private static final class Unserved implements HttpServer {
    @Override
    public ListenAddress address() {
      return LISTEN;
    }

    @Override
    public void serve(String path, Resource resource) {
      // no request asks for it
    }

    @Override
    public void close() {
      // nothing is open
    }
  }

  /** Receives requests from {@link #post} only. */
  private final class Admission implements WebhookListener {
    Admission(Map<String, PostResource> served) {
      webhooks = served;
    }

    @Override
    public String state() {
      return "webhook served in the simulation";
    }

    @Override
    public void close() {
      webhooks = Map.of();
    }
  }
}
