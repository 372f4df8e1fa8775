package io.probelet.simulation.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiServer;
import io.probelet.probe.ProbedPod;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a kubelet: starts the containers of the pods bound to its node, restarts those that
 * ended with back-off, stops pods that are deleted, evicts pods, and reports pods, node and lease.
 * Its own probes, those of specs, find the truth and stop nothing.
 */
public final class Kubelet {
  private static final Duration CYCLE = Duration.ofSeconds(10);
  private static final long LATE = Duration.ofSeconds(1).toNanos();
  private static final long RELIST = Duration.ofMinutes(5).toNanos();
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration REPORT = Duration.ofMillis(100);

  /** One of so many containers takes long to be created. */
  private static final int SOME = 6;

  /** The longest that one is created and does not run, in milliseconds. */
  private static final int LONG_CREATION = 20_000;

  private final Simulation world;
  private final String name;
  private final SimulatedApiServer api;
  private final SimulatedRuntime runtime;
  private final Scripts scripts;
  private final NodeStatus node;
  private final RandomGenerator random;
  private final Map<String, KubeletPod> pods = new LinkedHashMap<>();
  private SimulatedProcess process;
  private boolean separated;

  /** Whether it may have missed events: it has just started, or was frozen or cut off. */
  private boolean behind = true;

  private long cycleDue;
  private long listed;
  private int addresses;

  /** Decides how containers live. */
  @FunctionalInterface
  public interface Scripts {
    /**
     * Draws the script of a container.
     *
     * @param pod the object of the API server
     * @param container its name
     */
    ContainerScript of(JsonNode pod, String container);
  }

  /**
   * Creates a kubelet that has not started.
   *
   * @param node its node's name
   * @param subnet the beginning of its pods' addresses, such as {@code 10.0.1.}
   */
  Kubelet(
      Simulation world,
      String node,
      String subnet,
      SimulatedApiServer api,
      SimulatedRuntime runtime,
      Machine machine,
      Scripts scripts) {
    this.world = world;
    this.name = node;
    this.api = api;
    this.runtime = runtime;
    this.scripts = scripts;
    this.node = new NodeStatus(node, subnet, api);
    this.random = world.random("kubelet/" + node);
    this.process = new SimulatedProcess(machine, "kubelet-" + node);
    process.kill();
    api.onWrite(this::written);
    runtime.onEnd(ended -> soon(() -> known(ended.container().pod()).ifPresent(this::tend)));
  }

  /** Starts it, or starts it again on a machine. */
  void start(Machine machine, String bootId, boolean rebooted) {
    process = new SimulatedProcess(machine, "kubelet-" + name);
    behind = true;
    cycleDue = process.nanoTime();
    pods.values().forEach(rebooted ? KubeletPod::rebooted : KubeletPod::forgetWaits);
    pods.values().stream()
        .flatMap(pod -> pod.scripted().containers().stream())
        .forEach(ScriptedContainer::discard);
    node.booted(bootId);
    cycle(process);
  }

  /** Ends it; the containers run on. */
  public void kill() {
    process.kill();
  }

  /** {@return its process} */
  public SimulatedProcess process() {
    return process;
  }

  /** Cuts it off from the API server, or connects it again. */
  public void separate(boolean cutOff) {
    separated = cutOff;
    behind = true;
  }

  /** Reports that the node is under pressure, or no longer is. */
  public void pressure(String condition, boolean present) {
    node.pressure(condition, present);
    soon(() -> node.report(process.wallTime()));
  }

  /** Reports that the node is ready, or that it is not although it runs. */
  public void ready(boolean ready) {
    node.ready(ready);
  }

  /** Evicts a pod for lack of a resource: its containers are killed and it fails. */
  public void evict(ScriptedPod scripted, String why) {
    known(scripted)
        .ifPresent(pod -> {
          pod.evict(why);
          process.trace("evicts " + scripted.ref());
          runtime.kill(scripted);
          report(pod);
        });
  }

  private Optional<KubeletPod> known(ScriptedPod scripted) {
    return pods.values().stream().filter(each -> each.scripted().equals(scripted)).findFirst();
  }

  private void soon(Runnable task) {
    process.at(process.nanoTime() + Duration.ofMillis(random.nextInt(20, 800)).toNanos(), task);
  }

  private void later(Duration delay, Runnable task) {
    process.at(process.nanoTime() + delay.toNanos(), task);
  }

  private void cycle(SimulatedProcess of) {
    if (!of.equals(process)) {
      return;
    }
    long now = of.nanoTime();
    behind |= now - cycleDue > LATE || now - listed > RELIST;
    if (!separated) {
      node.heartbeat(of.wallTime(), now);
    }
    if (!separated && behind) {
      behind = false;
      listed = now;
      list();
      List.copyOf(pods.values()).forEach(this::tend);
    }
    pods.values().stream().filter(pod -> pod.scripted().isProbedByKubelet()).forEach(this::report);
    cycleDue = now + CYCLE.toNanos();
    of.at(cycleDue, () -> cycle(of));
  }

  /** Catches up with the changes that it missed. */
  private void list() {
    pods.values().forEach(KubeletPod::reportAgain);
    for (ObjectNode pod : api.list("/api/v1/pods")) {
      if (isOwn(pod)) {
        sync(ObjectFields.podPath(pod));
      }
    }
    List.copyOf(pods.values()).forEach(each -> sync(each.path()));
  }

  private boolean isOwn(JsonNode pod) {
    return pod.at("/spec/nodeName").asText().equals(name);
  }

  private static JsonNode probes(JsonNode pod) {
    return pod.at("/metadata/annotations/probelet.io~1probes");
  }

  private void written(ApiWrite write) {
    ObjectNode object = write.after() == null ? write.before() : write.after();
    KubeletPod edited = object == null ? null : pods.get(ObjectFields.podPath(object));
    if (edited != null
        && write.before() != null
        && write.after() != null
        && !probes(write.before()).equals(probes(write.after()))) {
      edited.scripted().edited();
    }
    if (object == null
        || process.isKilled()
        || !write.path().contains("/pods")
        || !object.path("kind").asText("Pod").equals("Pod")
        || !isOwn(object)
        || write.process().equals(process.name())) {
      return;
    }
    String path = ObjectFields.podPath(object);
    soon(() -> sync(path));
  }

  /** Follows a pod as it is at the API server now. */
  private void sync(String path) {
    if (separated) {
      return; // it lists when it is back
    }
    JsonNode pod = api.get(path);
    String uid = pod.at("/metadata/uid").asText();
    KubeletPod known = pods.get(path);
    if (known != null && !known.scripted().ref().uid().equals(uid)) {
      pods.remove(path);
      runtime.remove(known.scripted().ref());
      known = null;
    }
    if (!(pod instanceof ObjectNode object)) {
      return;
    }
    boolean over = ObjectFields.isFinished(pod);
    boolean deleted = ObjectFields.isDeleting(pod);
    // No manifest of the node's own made an image of a static pod: whoever did is not believed.
    boolean image = ObjectFields.annotation(pod, "kubernetes.io/config.mirror").isPresent();
    if (known == null && isOwn(pod) && !over && !image) {
      known = admit(path, object);
    }
    if (known == null) {
      if (deleted && isOwn(pod)) {
        delete(path);
      }
      return;
    }
    if (deleted && !known.stopping()) {
      stop(known, pod.at("/metadata/deletionGracePeriodSeconds").asLong());
    }
    if (over) {
      known.reportAgain(); // somebody else has written its status
    }
    report(known);
  }

  private @Nullable KubeletPod admit(String path, ObjectNode object) {
    ProbedPod probed = KubeletPod.read(object);
    if (probed == null) {
      return null;
    }
    addresses++;
    ScriptedPod scripted =
        new ScriptedPod(
            world,
            () -> process.machine(),
            probed,
            node.address(addresses),
            PodStatus.isProbed(object),
            container -> scripts.of(object, container));
    KubeletPod pod = new KubeletPod(path, scripted, process.wallTime());
    pods.put(path, pod);
    runtime.add(scripted);
    tend(pod);
    return pod;
  }

  /** Starts the containers that should run and do not. */
  private void tend(KubeletPod pod) {
    for (ScriptedContainer container : pod.scripted().containers()) {
      tend(pod, container);
    }
    if (pod.stopping()) {
      finish(pod);
    }
    report(pod);
  }

  private void tend(KubeletPod pod, ScriptedContainer container) {
    ContainerInstance newest = container.newest();
    String name = container.spec().name();
    if (pod.stopping() || pod.waits(name) || container.isCreated() || container.running() != null) {
      return;
    }
    if (newest == null) {
      start(pod, container);
    } else if (container
        .spec()
        .restartsAfter(newest.exitCode(), pod.scripted().spec().restartPolicy())) {
      Duration wait = pod.backOff(newest, process.wallTime());
      later(
          wait.plusMillis(random.nextInt(10, 1_500)),
          () -> {
            pod.starting(name);
            start(pod, container);
          });
    }
  }

  private void start(KubeletPod pod, ScriptedContainer container) {
    if (pod.stopping() || !pods.containsValue(pod) || container.running() != null) {
      container.discard();
      return;
    }
    if (runtime.isDown()) {
      later(RETRY, () -> start(pod, container));
      return;
    }
    if (!container.isCreated() && random.nextInt(SOME) == 0) { // volumes, cgroups and hooks first
      runtime.create(container);
      report(pod);
      later(Duration.ofMillis(random.nextInt(LONG_CREATION)), () -> start(pod, container));
      return;
    }
    runtime.start(container);
    report(pod);
  }

  private void stop(KubeletPod pod, long graceSeconds) {
    pod.stop();
    Duration grace = Duration.ofSeconds(graceSeconds);
    for (ContainerInstance each : pod.scripted().running()) {
      runtime.stop(process.name(), each, grace, new CompletableFuture<>());
    }
    tend(pod);
  }

  /** Removes a deleted pod once its containers have ended. */
  private void finish(KubeletPod pod) {
    if (!ObjectFields.isDeleting(api.get(pod.path()))) {
      return;
    }
    List<ContainerInstance> running = pod.scripted().running();
    if (running.stream().anyMatch(ContainerInstance::isTerminating)) {
      // A runtime that was restarted has forgotten the end of the grace period.
      later(CYCLE, () -> known(pod.scripted()).ifPresent(this::tend));
    } else if (running.isEmpty() && !separated) {
      write(pod);
      delete(pod.path());
    }
  }

  private void delete(String path) {
    var _ =
        api.send(process.name(), "DELETE", path, "application/json", "{\"gracePeriodSeconds\":0}");
    KubeletPod pod = pods.remove(path);
    if (pod != null) {
      runtime.remove(pod.scripted().ref());
    }
  }

  private void report(KubeletPod pod) {
    if (pod.planReport()) {
      later(
          REPORT,
          () -> {
            pod.reported();
            if (!separated && pods.containsValue(pod)) {
              write(pod);
            }
          });
    }
  }

  private void write(KubeletPod pod) {
    JsonNode current = api.get(pod.path());
    if (!current.at("/metadata/uid").asText().equals(pod.scripted().ref().uid())) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", pod.scripted().ref().uid());
    patch.set("status", PodStatus.of(pod, current, process.wallTime(), world.now()));
    if (!pod.isNews(patch)) {
      return;
    }
    var _ =
        api.send(
            process.name(),
            "PATCH",
            pod.path() + "/status",
            ApiServer.STRATEGIC_PATCH,
            patch.toString());
  }
}
