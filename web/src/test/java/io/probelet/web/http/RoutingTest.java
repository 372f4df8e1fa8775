package io.probelet.web.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Routing.Errors;
import io.probelet.web.http.Routing.Next;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who answers a request, or why nobody does, by its head alone. */
class RoutingTest {
  private static final int BODY_BYTES = 10;
  private static final Resource GET =
      query -> Answer.of(200, Resource.TEXT, "got " + query.get("a"));
  private static final PostResource POST = _ -> Answer.of(200, Resource.TEXT, "posted");

  private static Routing routing(Errors errors) {
    Map<String, Route> routes = new LinkedHashMap<>();
    routes.put("/get", GET);
    routes.put("/post", POST);
    return new Routing(
        routes,
        hosts -> hosts.contains("evil") ? Optional.of("no such host") : Optional.empty(),
        Gate.OPEN,
        BODY_BYTES,
        errors);
  }

  private static HttpRequest request(String method, String uri) {
    HttpRequest request =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), uri);
    request.headers().add(HttpHeaderNames.HOST, "good");
    return request;
  }

  private static String text(Answer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return answer.status() + " " + answer.contentType() + " " + out.toString(UTF_8);
  }

  private static String refusal(Routing routing, HttpRequest request) throws IOException {
    return text(((Next.Refuse) routing.of(request)).answer());
  }

  @ParameterizedTest
  @CsvSource({"GET", "HEAD"})
  @DisplayName("GET and HEAD are answered by the resource of that path, which gets the query")
  void get(String method) throws Exception {
    Next next = routing(Errors.JSON).of(request(method, "/get?a=1&a=2"));
    assertThat(text(((Next.Call) next).answer().call()))
        .isEqualTo("200 text/plain; charset=utf-8 got [1, 2]");
  }

  @ParameterizedTest
  @CsvSource({", true", "0, true", "10, true", "11, false"})
  @DisplayName("the body of a POST is read unless it says that it is too large")
  void post(Integer length, boolean read) throws IOException {
    HttpRequest request = request("POST", "/post");
    if (length != null) {
      request.headers().set(HttpHeaderNames.CONTENT_LENGTH, length);
    }
    Next next = routing(Errors.TEXT).of(request);
    if (read) {
      assertThat(next).isEqualTo(new Next.Read(POST));
    } else {
      assertThat(((Next.Refuse) next).allowed()).isEmpty();
      assertThat(text(((Next.Refuse) next).answer()))
          .isEqualTo("413 text/plain; charset=utf-8 more than 10 bytes\n");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "POST,   /get,  'GET,HEAD', POST is not allowed; use GET or HEAD",
    "DELETE, /get,  'GET,HEAD', DELETE is not allowed; use GET or HEAD",
    "GET,    /post, POST,       GET is not allowed; use POST",
    "PUT,    /post, POST,       PUT is not allowed; use POST",
  })
  @DisplayName("another method is refused, with those that are answered")
  void method(String method, String uri, String allowed, String message) throws IOException {
    Next.Refuse next = (Next.Refuse) routing(Errors.TEXT).of(request(method, uri));
    assertThat(String.join(",", next.allowed())).isEqualTo(allowed);
    assertThat(text(next.answer())).isEqualTo("405 text/plain; charset=utf-8 " + message + "\n");
  }

  static Stream<Arguments> undecodable() {
    return Stream.of(
        Arguments.of(new TooLongHttpLineException("x"), 414, "the request line is too long"),
        Arguments.of(
            new TooLongHttpHeaderException("x"), 431, "the request's headers are too large"),
        Arguments.of(new IllegalArgumentException("x"), 400, "not an HTTP request"));
  }

  @ParameterizedTest
  @MethodSource("undecodable")
  @DisplayName("what could not be decoded is refused, and why")
  void undecodable(Exception cause, int status, String message) throws IOException {
    HttpRequest request = request("GET", "/get");
    request.setDecoderResult(DecoderResult.failure(cause));
    assertThat(refusal(routing(Errors.TEXT), request))
        .isEqualTo(status + " text/plain; charset=utf-8 " + message + "\n");
  }

  @Test
  @DisplayName("a path that is not there, an escape that is none, another's host")
  void refused() throws IOException {
    assertThat(refusal(routing(Errors.TEXT), request("GET", "/other")))
        .isEqualTo("404 text/plain; charset=utf-8 no /other here; there is /get, /post\n");
    assertThat(refusal(routing(Errors.TEXT), request("GET", "/get?a=%zz")))
        .startsWith("400 text/plain; charset=utf-8 invalid escape in path or query: ");
    HttpRequest stranger = request("GET", "/get");
    stranger.headers().set(HttpHeaderNames.HOST, List.of("good", "evil"));
    assertThat(refusal(routing(Errors.TEXT), stranger))
        .isEqualTo("421 text/plain; charset=utf-8 no such host\n");
    assertThat(refusal(routing(Errors.JSON), request("GET", "/\"")))
        .isEqualTo("404 application/json {\"error\":\"no /\\\" here; there is /get, /post\"}\n");
  }
}
