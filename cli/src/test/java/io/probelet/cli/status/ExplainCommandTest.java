package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code probelet explain} against a real endpoint. */
@Timeout(60)
class ExplainCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> asked = new ArrayList<>();
  private final IoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private String containers = "";
  private String explained = "";
  private HttpEndpoint endpoint;

  @BeforeEach
  void serve() throws IOException {
    containers = list("shop/web/httpd", "shop/web/proxy", "other/db/main", "third/db/main");
    explained = "[{\"container\":" + container("shop/web/httpd") + "}]";
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put("/api/v1/containers", _ -> Answer.of(200, Resource.JSON, containers));
    resources.put(
        "/api/v1/explain",
        query -> {
          asked.add(query.get("pod") + " " + query.getOrDefault("container", List.of()));
          return Answer.of(200, Resource.JSON, explained);
        });
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
  }

  @AfterEach
  void close() {
    endpoint.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static String list(String... names) {
    return Stream.of(names)
        .map(ExplainCommandTest::container)
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String container(String name) {
    String[] parts = name.split("/", -1);
    return "{\"namespace\":\"%s\",\"pod\":\"%s\",\"container\":\"%s\",\"ready\":true}"
        .formatted((Object[]) parts);
  }

  private int run(String... arguments) {
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("--address", endpoint.address().toString()));
    all.addAll(List.of(arguments));
    return new CommandLine(new ExplainCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "web             | [shop/web] []",
        "web/httpd       | [shop/web] [httpd]",
        "shop/web        | [shop/web] []",
        "shop/web/proxy  | [shop/web] [proxy]",
        "db -n other     | [other/db] []",
        "db/main -n third| [third/db] [main]"
      })
  void findsPodInAnyNamespace(String arguments, String question) {
    assertThat(run(arguments.split(" "))).as(err.toString()).isZero();
    assertThat(asked).containsExactly(question);
  }

  @Test
  void saysWhatIsAmbiguousOrMissing() {
    assertThat(run("db")).isEqualTo(2);
    assertThat(err.toString()).contains("several namespaces have a pod db: choose one");
    assertThat(run("gone")).isEqualTo(2);
    assertThat(err.toString()).contains("the agent has no pod or container gone");
    assertThat(run("web", "-n", "other")).isEqualTo(2);
    assertThat(run("a//b")).isEqualTo(2);
    assertThat(err.toString()).contains("\"a//b\" is not a pod");
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "null", "[null]", "[1]", "<html>", "{\"a\":", "[{\"probes\":1}]", ""})
  @DisplayName("Attack: another program on the agent's port")
  void saysThatResponseIsUnexpected(String answer) {
    explained = answer;
    assertThat(run("web")).isEqualTo(2);
    assertThat(err.toString()).contains("is not a Probelet agent: unexpected response");
    containers = answer;
    assertThat(run("web")).isEqualTo(2);
    assertThat(err.toString())
        .contains("is not a Probelet agent: unexpected response")
        .doesNotContain("java", "Source");
  }

  @Test
  void readsExplanationWithoutFields() {
    explained = "[{}]";
    assertThat(run("web")).isEqualTo(1);
  }
}
