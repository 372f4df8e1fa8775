package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.Answer;
import io.probelet.nodehealth.api.ApiServer;
import io.probelet.nodehealth.election.Term;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.ObjectJson;
import io.probelet.nodehealth.wire.RemediationJson;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Remediates for one term of leadership: connects the watches, the planning and the writes. */
final class RemediationController implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Loop loop;
  private final KubernetesClient client;
  private final Mirror mirror = new Mirror();
  private final NodeReader nodeReader = new NodeReader();
  private final KindWatches kinds;
  private final EventJournal journal;
  private final WriteResults results;
  private final Planning planning;
  private final RemediationListener listener;
  private final List<Watch<?>> watches = new ArrayList<>();

  /**
   * Begins.
   *
   * @param config for the watches
   * @param api for everything else
   */
  RemediationController(
      Config config,
      ApiServer api,
      RemediationSettings settings,
      TimeSource time,
      RemediationListener listener,
      Term term) {
    this.listener = listener;
    loop = new Loop(time);
    client = SlimClient.of(config);
    kinds = new KindWatches(client, api, threads, loop, new KindEvents());
    journal = new EventJournal(api, term, time, settings.identity());
    results = new WriteResults(mirror, this::see, time, listener);
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
            new StatusWrites(api, term, loop, threads, time, this::statusWritten),
            journal,
            listener);
    loop.start(planning::work, planning::nextMoment);
    watches.add(Watch.nodes(client, new NodeEvents()));
    watches.add(Watch.generic(client, Kind.CHECK, null, new CheckEvents()));
    watches.add(Watch.generic(client, Kind.LEASE, settings.leaseNamespace(), new LeaseEvents()));
  }

  CompletableFuture<RemediationReport> report() {
    return loop.ask(() -> new RemediationReport(planning.report()));
  }

  /** Stops; what is under way is not waited for, and does nothing more when the term is over. */
  @Override
  public void close() {
    loop.close();
    journal.close();
    watches.forEach(Watch::close);
    kinds.close();
    threads.shutdownNow();
    client.close();
    listener.retired();
  }

  private void see(NodeObject node) {
    planning.see(nodeReader.read(node));
  }

  private void statusWritten(Check check, Answer now) {
    planning.statusWritten(check, now);
  }

  private void changed(JsonNode object) {
    ObjectRef ref = ObjectJson.ref(object);
    planning.changed(ref, ref.kind().endsWith("Template") ? null : nodeOf(object));
  }

  private static @Nullable String nodeOf(JsonNode object) {
    return ObjectJson.ref(object).kind().equals("Lease")
        ? null
        : RemediationJson.read(object).nodeName();
  }

  private record Key(String kind, String name) {}

  private final class NodeEvents implements Watch.Observer<NodeObject> {
    @Override
    public void changed(NodeObject node) {
      NodeFacts facts = nodeReader.read(node);
      loop.post(new Key("Node", facts.name()), () -> planning.see(facts));
    }

    @Override
    public void gone(NodeObject node) {
      String name = node.getMetadata().getName();
      String uid = String.valueOf(node.getMetadata().getUid());
      loop.post(() -> planning.nodeGone(name, uid));
    }

    @Override
    public void listed() {
      loop.post(() -> planning.listed("Node"));
    }

    @Override
    public void unserved() {}
  }

  private final class CheckEvents implements Watch.Observer<GenericKubernetesResource> {
    @Override
    public void changed(GenericKubernetesResource check) {
      JsonNode json = JSON.valueToTree(check);
      loop.post(
          new Key("NodeHealthCheck", check.getMetadata().getName()), () -> planning.seeCheck(json));
    }

    @Override
    public void gone(GenericKubernetesResource check) {
      String name = check.getMetadata().getName();
      String uid = String.valueOf(check.getMetadata().getUid());
      loop.post(() -> planning.checkGone(name, uid));
    }

    @Override
    public void listed() {
      loop.post(() -> planning.listed("NodeHealthCheck"));
    }

    @Override
    public void unserved() {}
  }

  private final class LeaseEvents implements Watch.Observer<GenericKubernetesResource> {
    @Override
    public void changed(GenericKubernetesResource lease) {
      JsonNode json = JSON.valueToTree(lease);
      loop.post(
          new Key("Lease", lease.getMetadata().getName()),
          () -> {
            mirror.see(json);
            RemediationController.this.changed(json);
          });
    }

    @Override
    public void gone(GenericKubernetesResource lease) {
      JsonNode json = JSON.valueToTree(lease);
      loop.post(() -> {
        mirror.seeEnd(json);
        RemediationController.this.changed(json);
      });
    }

    @Override
    public void listed() {
      loop.post(() -> planning.listed("Lease"));
    }

    @Override
    public void unserved() {}
  }

  private final class KindEvents implements KindWatches.Observer {
    @Override
    public void changed(Kind kind, JsonNode object) {
      mirror.see(object);
      RemediationController.this.changed(object);
    }

    @Override
    public void gone(Kind kind, JsonNode object) {
      mirror.seeEnd(object);
      planning.changed(ObjectJson.ref(object), null); // only its metadata is left: who knows whose
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
    public void found(RemediationAction action, Answer answer) {
      results.found(action, answer);
    }

    @Override
    public void free(Check check, String node) {
      planning.free(check, node);
    }
  }
}
