package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Term;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Observer;
import io.probelet.kube.watch.ResourceWatch;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.NodeLeaseJson;
import io.probelet.nodehealth.wire.ObjectJson;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Remediates for one term of leadership: connects the watches, the planning and the writes. */
final class RemediationController implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Loop loop;
  private final Mirror mirror = new Mirror();
  private final NodeFormat nodeFormat = new NodeFormat();
  private final KindWatches kinds;
  private final EventJournal journal;
  private final WriteResults results;
  private final Planning planning;
  private final RemediationListener listener;
  private final List<ResourceWatch<?>> watches = new ArrayList<>();

  /**
   * Begins.
   *
   * @param api where everything is
   * @param statusApart the least time between two writes of one status
   */
  RemediationController(
      ApiServer api,
      RemediationSettings settings,
      Duration statusApart,
      TimeSource time,
      RemediationListener listener,
      Term term) {
    this.listener = listener;
    loop = new Loop(time);
    kinds = new KindWatches(api, threads, loop, time, new KindEvents());
    journal = new EventJournal(api, term, time, settings);
    results = new WriteResults(mirror, nodeFormat, this::see, listener);
    planning =
        new Planning(
            time,
            mirror,
            kinds,
            new Writes(
                new ActionRequests(api, settings.leaseNamespace(), kinds::known),
                term,
                loop,
                threads,
                new WriteEvents()),
            new StatusWrites(api, term, loop, threads, time, statusApart, this::statusWritten),
            journal,
            listener);
    loop.start(planning::work, planning::nextMoment);
    watches.add(
        ResourceWatch.start(
            api,
            Selection.all("Node", Kind.NODE.collection(null)),
            nodeFormat,
            new NodeEvents(),
            time));
    watches.add(
        ResourceWatch.start(
            api,
            Selection.all(NodeHealthCheck.KIND, Kind.CHECK.collection(null)),
            new TreeFormat(Kind.CHECK),
            new CheckEvents(),
            time));
    watches.add(
        ResourceWatch.start(
            api,
            Selection.all("Lease", Kind.LEASE.collection(settings.leaseNamespace())),
            new TreeFormat(Kind.LEASE),
            new LeaseEvents(),
            time));
  }

  CompletableFuture<RemediationReport> report() {
    return loop.ask(() -> new RemediationReport(planning.report()));
  }

  /** Stops; what is under way is not waited for, and does nothing more when the term is over. */
  @Override
  public void close() {
    loop.close();
    journal.close();
    watches.forEach(ResourceWatch::close);
    kinds.close();
    threads.shutdownNow();
    listener.retired();
  }

  private void see(NodeFacts node) {
    planning.see(node);
  }

  private void statusWritten(Check check, ApiResult now) {
    planning.statusWritten(check, now);
  }

  private void changed(JsonNode object) {
    ObjectRef ref = ObjectJson.ref(object);
    planning.changed(
        ref.kind().endsWith("Template") ? null : RemediationJson.read(object).nodeName());
  }

  private final class NodeEvents implements Observer<NodeFacts> {
    @Override
    public void changed(Item<NodeFacts> node) {
      loop.post("Node " + node.name(), () -> planning.see(node.value()));
    }

    @Override
    public void gone(Item<NodeFacts> node) {
      loop.post(() -> planning.nodeGone(node.name(), node.uid()));
    }

    @Override
    public void listed() {
      loop.post(() -> planning.listed("Node"));
    }
  }

  private final class CheckEvents implements Observer<JsonNode> {
    @Override
    public void changed(Item<JsonNode> check) {
      loop.post(NodeHealthCheck.KIND + " " + check.name(), () -> planning.seeCheck(check.value()));
    }

    @Override
    public void gone(Item<JsonNode> check) {
      loop.post(() -> planning.checkGone(check.name(), check.uid()));
    }

    @Override
    public void listed() {
      loop.post(() -> planning.listed(NodeHealthCheck.KIND));
    }
  }

  private final class LeaseEvents implements Observer<JsonNode> {
    @Override
    public void changed(Item<JsonNode> lease) {
      loop.post(
          "Lease " + lease.name(),
          () -> {
            if (mirror.see(lease.value())) {
              planning.leaseChanged(NodeLeaseJson.read(lease.value()));
            }
          });
    }

    @Override
    public void gone(Item<JsonNode> lease) {
      loop.post(() -> {
        mirror.seeEnd(lease.value());
        planning.leaseChanged(NodeLeaseJson.read(lease.value()));
      });
    }

    @Override
    public void listed() {
      loop.post(() -> planning.listed("Lease"));
    }
  }

  private final class KindEvents implements KindWatches.Observer {
    @Override
    public void changed(Kind kind, JsonNode object) {
      if (mirror.see(object)) {
        RemediationController.this.changed(object);
      }
    }

    @Override
    public void gone(Kind kind, JsonNode object) {
      mirror.seeEnd(object);
      RemediationController.this.changed(object);
    }

    @Override
    public void settled(Kind.Name kind) {
      planning.settled(kind);
    }
  }

  private final class WriteEvents implements Writes.Observer {
    @Override
    public void done(Check check, RemediationAction action, JsonNode body) {
      results.done(action, body);
    }

    @Override
    public void found(RemediationAction action, ApiResult answer) {
      results.found(action, answer);
    }

    @Override
    public void refused(MissingRight right) {
      kinds.refused(right);
    }

    @Override
    public void free(Check check, String node) {
      planning.free(check, node);
    }
  }
}
