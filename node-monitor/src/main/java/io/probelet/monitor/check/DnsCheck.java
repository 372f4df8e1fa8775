package io.probelet.monitor.check;

import io.probelet.health.dns.DnsMessage;
import io.probelet.health.dns.DnsType;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Queries the servers of resolv.conf in order until one answers correctly. Each query uses its own
 * socket, because the JVM caches answers.
 */
final class DnsCheck implements NodeCheck {
  private static final String SERVER = "nameserver";
  private static final int PORT = 53;
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int ATTEMPTS = 2;
  private static final int LARGEST_ANSWER = 4096;

  private final String name;
  private final Machine machine;
  private final int port;
  private final Duration timeout;

  DnsCheck(String name, Machine machine) {
    this(name, machine, PORT, TIMEOUT);
  }

  DnsCheck(String name, Machine machine, int port, Duration timeout) {
    this.name = name;
    this.machine = machine;
    this.port = port;
    this.timeout = timeout;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    List<String> servers = servers();
    if (servers.isEmpty()) {
      throw new IOException("/etc/resolv.conf lists no nameserver");
    }
    List<String> complaints = new ArrayList<>();
    for (String server : servers) {
      String complaint = ask(server);
      if (complaint.isEmpty()) {
        return NodeCheckResult.OK;
      }
      complaints.add("DNS server " + server + " " + complaint);
    }
    return new NodeCheckResult.Problem(String.join(", ", complaints));
  }

  private List<String> servers() throws IOException {
    List<String> servers = new ArrayList<>();
    for (String line : Files.readAllLines(machine.seen(Path.of("/etc/resolv.conf")))) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length > 1 && words[0].equals(SERVER)) {
        servers.add(words[1]);
      }
    }
    return servers;
  }

  /** The problem of a server; empty if there is none. */
  private String ask(String server) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout((int) timeout.toMillis());
      socket.connect(new InetSocketAddress(InetAddress.getByName(server), port));
      for (int attempt = 1; ; attempt++) {
        DnsMessage question =
            DnsMessage.question(
                machine.random().nextInt(1 << 16), name, name.isEmpty() ? DnsType.NS : DnsType.A);
        socket.send(new DatagramPacket(question.bytes(), question.bytes().length));
        try {
          return problem(answer(socket, question));
        } catch (SocketTimeoutException silent) {
          if (attempt == ATTEMPTS) {
            return "does not answer";
          }
        }
      }
    } catch (PortUnreachableException refused) {
      return "refuses connections";
    } catch (IOException failed) {
      return "cannot be reached: " + failed.getMessage();
    }
  }

  private static DnsMessage answer(DatagramSocket socket, DnsMessage question) throws IOException {
    while (true) {
      DatagramPacket packet = new DatagramPacket(new byte[LARGEST_ANSWER], LARGEST_ANSWER);
      socket.receive(packet);
      DnsMessage answer = DnsMessage.of(packet.getData(), packet.getLength());
      if (answer.answers(question)) {
        return answer;
      }
    }
  }

  /** Without a configured name any answer is accepted; not every server resolves the root. */
  private String problem(DnsMessage answer) {
    return name.isEmpty() || answer.code() == 0
        ? ""
        : "answered " + answer.codeName() + " for " + name;
  }
}
