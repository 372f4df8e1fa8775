package io.probelet.agent.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.config.OrderSettings;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiRetry;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WriteLoop;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.remediator.order.AgentStep;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderPermissions;
import io.probelet.remediator.order.OrderPhase;
import io.probelet.remediator.order.OrderProgress;
import io.probelet.remediator.order.OrderRules;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the order to this node and carries it out. Everything is decided and written on one loop;
 * what is ordered is done by a thread of its own, of which there is one at a time.
 */
public final class OrdersPart implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(OrdersPart.class);
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration END = Duration.ofSeconds(5);

  private final ApiServer api;
  private final String node;
  private final String bootId;
  private final OrderRules rules;
  private final Supplier<OrderPermissions> permissions;
  private final NodeActions actions;
  private final Runnable whenClosed;
  private final TimeSource time;
  private final MeterRegistry metrics;
  private final SerialLoop loop;
  private final WriteLoop writes;
  private final ResourceWatch<NodeOrder> watch;
  private volatile @Nullable NodeOrder order;
  private volatile String trouble = "";

  // Of the loop only.
  private OrderProgress progress = new OrderProgress.Idle();
  private long claimedAt;
  private @Nullable Thread worker;

  /**
   * Begins to follow the node's order.
   *
   * @param bootId of the boot the node is in; empty if nobody knows, and nothing is carried out
   * @param permissions what the administrator permits, asked each time
   * @param whenClosed run when it is closed, last
   */
  public OrdersPart(
      ApiServer api,
      String namespace,
      String node,
      String bootId,
      Supplier<OrderPermissions> permissions,
      NodeActions actions,
      Runnable whenClosed,
      MeterRegistry metrics,
      TimeSource time,
      RandomGenerator random) {
    this.api = api;
    this.node = node;
    this.bootId = bootId;
    this.rules = new OrderRules(node, bootId);
    this.permissions = permissions;
    this.actions = actions;
    this.whenClosed = whenClosed;
    this.time = time;
    this.metrics = metrics;
    loop = WriteLoop.thread("node-orders", time.threads());
    writes = new WriteLoop("node-orders", () -> PERIOD, this::round, new ApiRetry(random), loop);
    api.whenBack(writes::serverIsBack);
    writes.start();
    watch =
        ResourceWatch.startOnEachNode(
            api,
            new Selection(
                NodeOrder.KIND, NodeOrder.collection(namespace), "metadata.name=" + node, 1),
            new ObjectFormat<>(RemediationKind.API_VERSION, NodeOrder.KIND, NodeOrderJson::read),
            new Feed(),
            time,
            random);
  }

  /**
   * Begins to follow the order to an agent's node.
   *
   * @param context what the agent has; its identity is the node's name
   * @param settings what the administrator permits, asked each time
   * @param bootId of the boot the node is in; empty if nobody knows, and nothing is carried out
   * @param whenClosed run when it is closed, last
   */
  public static OrdersPart start(
      ApiServer api,
      ControllerContext context,
      Supplier<OrderSettings> settings,
      String bootId,
      NodeActions actions,
      Runnable whenClosed) {
    return new OrdersPart(
        ApiServer.beside(api, context.client(), TIMEOUT),
        context.namespace(),
        context.identity(),
        bootId,
        () -> permissions(settings.get()),
        actions,
        whenClosed,
        context.metrics(),
        context.time(),
        context.random());
  }

  private static OrderPermissions permissions(OrderSettings settings) {
    return new OrderPermissions(
        settings.units(), settings.reboot(), settings.kexec(), settings.sysrq());
  }

  /** Keeps what was seen last. */
  private final class Feed implements Observer<NodeOrder> {
    @Override
    public void changed(Item<NodeOrder> item) {
      trouble = "";
      if (item.value().node().equals(node)) {
        order = item.value();
        writes.wake();
      }
    }

    @Override
    public void gone(Item<NodeOrder> item) {
      NodeOrder seen = order;
      if (seen != null && seen.uid().equals(item.uid())) {
        order = null;
      }
    }

    @Override
    public void listed() {
      trouble = "";
    }

    @Override
    public void bookmarked() {
      trouble = "";
    }

    @Override
    public void refused(String verb) {
      trouble = "may not " + verb + " nodeorders: apply deploy/remediators/agents.yaml";
    }

    @Override
    public void unserved() {
      trouble = "there are no nodeorders: apply deploy/crds/";
    }
  }

  @Override
  public String name() {
    return "node-orders";
  }

  /** An agent probes and watches without orders too, so that this is no problem of its. */
  @Override
  public String note() {
    return trouble;
  }

  /** {@return whether there may be more to write} */
  private boolean round() {
    NodeOrder seen = order;
    if (seen == null) {
      return false;
    }
    return switch (rules.next(seen, permissions.get(), progress())) {
      case AgentStep.Nothing(String why) -> {
        LOG.debug("nothing to do for node order order={} reason=\"{}\"", seen.uid(), why);
        yield false;
      }
      case AgentStep.Claim(OrderStatus status) -> {
        if (write(seen, status) instanceof Done) {
          progress = new OrderProgress.Claimed(seen.uid(), Duration.ZERO);
          claimedAt = time.nanoTime();
        }
        yield false;
      }
      case AgentStep.Start(OrderStatus status) -> {
        switch (write(seen, status)) {
          case Done _ -> begin(seen);
          case ApiResult.Refused _ -> {} // the order changed, or writing is not allowed
          case ApiResult.Unanswered _ ->
              progress = new OrderProgress.Doubtful(seen.uid(), Duration.ZERO);
        }
        yield false;
      }
      case AgentStep.Finish(OrderStatus status) -> {
        if (write(seen, status) instanceof Done) {
          ended(seen, status);
        }
        yield false;
      }
    };
  }

  /** ACT-36: while any work of an order runs, no other order starts. */
  private OrderProgress progress() {
    Duration ago = Duration.ofNanos(time.nanoTime() - claimedAt);
    return switch (progress) {
      case OrderProgress.Claimed(String uid, Duration _) -> new OrderProgress.Claimed(uid, ago);
      case OrderProgress.Doubtful(String uid, Duration _) -> new OrderProgress.Doubtful(uid, ago);
      case OrderProgress.Idle _ when worker != null && worker.isAlive() ->
          new OrderProgress.Acting("");
      case OrderProgress other -> other;
    };
  }

  private ApiResult write(NodeOrder seen, OrderStatus status) {
    ObjectNode patch = NodeOrderJson.status(seen, status);
    ApiResult result = api.patch(seen.path() + "/status", ApiServer.MERGE_PATCH, patch);
    if (result instanceof Done(JsonNode body)) {
      writes.succeeded();
      NodeOrder written = NodeOrderJson.read(body);
      if (seen.equals(order) && !written.uid().isEmpty()) { // the watch may be ahead of this answer
        order = written;
      }
    } else if (!result.isConflict() && !result.isNotFound()) { // which the watch will report
      writes.failed(result);
    }
    return result;
  }

  private void begin(NodeOrder seen) {
    LOG.warn(
        "node order started order={} action={} owner=\"{}\" reason=\"{}\"",
        seen.uid(),
        seen.spec().action().word(),
        seen.spec().owner(),
        seen.spec().reason());
    progress = new OrderProgress.Acting(seen.uid());
    Thread acting = time.threads().ofPlatform().name("node-order").unstarted(() -> act(seen));
    worker = acting;
    acting.start();
    var _ = loop.after(seen.spec().timeout(), () -> late(seen, acting));
  }

  private void act(NodeOrder seen) {
    OrderStatus result;
    try {
      result = actions.carryOut(seen.spec(), bootId);
    } catch (InterruptedException late) {
      return; // the interrupting thread reports why
    } catch (RuntimeException | Error mistake) {
      LOG.error("internal error, node order failed order={}", seen.uid(), mistake);
      result =
          new OrderStatus(OrderPhase.FAILED, bootId, "internal error of the agent: " + mistake);
    }
    OrderStatus said = result;
    loop.after(Duration.ZERO, () -> acted(seen, said));
  }

  private void late(NodeOrder seen, Thread acting) {
    if (progress.equals(new OrderProgress.Acting(seen.uid()))) {
      acting.interrupt();
      String why = "not done within " + seen.spec().timeout().toSeconds() + " s";
      acted(seen, new OrderStatus(OrderPhase.FAILED, bootId, why));
    }
  }

  private void acted(NodeOrder seen, OrderStatus result) {
    if (progress.equals(new OrderProgress.Acting(seen.uid()))) {
      progress = new OrderProgress.Ended(seen.uid(), result);
      writes.wake();
    }
  }

  private void ended(NodeOrder seen, OrderStatus status) {
    progress = new OrderProgress.Idle();
    String word = seen.spec().action().word();
    String action = word.isEmpty() ? "unreadable" : word;
    LOG.warn(
        "node order ended order={} action={} phase={} reason=\"{}\"",
        seen.uid(),
        action,
        status.phase().word(),
        status.message());
    metrics
        .counter("probelet.node.orders", "action", action, "result", status.phase().word())
        .increment();
  }

  @Override
  public void close() {
    watch.close();
    writes.close();
    var _ = loop.awaitEnd(END);
    Thread acting = worker;
    if (acting != null) {
      acting.interrupt();
    }
    whenClosed.run();
  }
}
