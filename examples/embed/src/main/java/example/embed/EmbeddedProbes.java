package example.embed;

import com.sun.net.httpserver.HttpServer;
import io.probelet.probe.*;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.service.ProbeService;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Probes a server that breaks after its third answer, and restarts it when the probe fails. */
public final class EmbeddedProbes {
  private static final PodRef POD = new PodRef("default", "web", "uid-1");

  public static void main(String[] args) throws Exception {
    run(System.out);
  }

  static void run(PrintStream out) throws Exception {
    AtomicInteger answers = new AtomicInteger();
    HttpServer web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    web.createContext("/healthz", request -> {
      request.sendResponseHeaders(answers.incrementAndGet() <= 3 ? 200 : 500, -1);
      request.close();
    });
    web.start();

    Port port = new Port.Numeric(web.getAddress().getPort());
    ProbeSpec liveness = ProbeSpec.of(new ProbeHandler.HttpGet(port, "/healthz"))
        .period(Duration.ofMillis(200)).failureThreshold(2).build();
    ContainerSpec app = ContainerSpec.of("app", Map.of(ProbeKind.LIVENESS, liveness));
    CountDownLatch restarted = new CountDownLatch(1);
    CountDownLatch recovered = new CountDownLatch(1);

    try (ProbeService service = ProbeService.builder()
        .stopper(decision -> { // here a real program stops and starts its container
          out.println("restart " + decision.containerId() + ": " + decision.message());
          answers.set(0);
          restarted.countDown();
        }).start()) {
      service.engine().addListener(new ProbeListener() {
        @Override
        public void published(Published result) {
          out.println(result.containerId() + " " + result.result() + " " + result.message());
          if (result.containerId().equals("second")) {
            recovered.countDown();
          }
        }
      });
      service.engine().add(
          new ProbedPod(POD, RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of(app)));
      service.engine().observed(running("first", 0));
      restarted.await();
      service.engine().observed(running("second", 1));
      recovered.await();
    } finally {
      web.stop(0);
    }
  }

  private static PodObservation running(String id, int restarts) {
    return PodObservation.running(
        POD, "127.0.0.1",
        Map.of("app", ContainerObservation.running(id, Instant.now(), restarts)));
  }
}
