package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import io.netty.channel.unix.Errors.NativeIoException;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.net.NetLoop.Transport;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SocketErrorsTest {
  static {
    // Netty words its exceptions with the native library's help.
    assertThat(Transport.best()).isEqualTo(Transport.EPOLL);
  }

  static Stream<Arguments> shortages() {
    return Stream.of(
        Arguments.of(
            new ConnectException("connect(..) failed with error(-99): Irgendwas: /10.0.0.1:80"),
            "cannot assign requested address"),
        Arguments.of(
            new BindException("Cannot assign requested address"),
            "cannot assign requested address"),
        Arguments.of(
            new ChannelException(new NativeIoException("newSocketStream", -24)),
            "too many open files"),
        Arguments.of(
            new ChannelException(
                "Failed to open a socket.", new SocketException("Too many open files")),
            "too many open files"),
        Arguments.of(
            new ChannelException(new NativeIoException("newSocketStream", -23)),
            "too many open files in system"),
        Arguments.of(
            new IOException("Too many open files in system"), "too many open files in system"),
        Arguments.of(new NativeIoException("connect", -105), "no buffer space available"),
        Arguments.of(new NativeIoException("connect", -12), "cannot allocate memory"));
  }

  @ParameterizedTest
  @MethodSource("shortages")
  @DisplayName("a local shortage is a prober error, never the target's failure")
  void shortage(Throwable thrown, String text) {
    assertThat(SocketErrors.failure("dial tcp 10.0.0.1:80: connect: ", thrown).verdict(""))
        .isEqualTo(
            new ProberError(Reason.LOCAL_SHORTAGE, "dial tcp 10.0.0.1:80: connect: " + text));
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(
            new ConnectException("finishConnect(..) failed with error(-111): x"),
            "connection refused"),
        Arguments.of(new ConnectException("Connection refused"), "connection refused"),
        Arguments.of(new NativeIoException("recvAddress", -104), "connection reset by peer"),
        Arguments.of(new SocketException("Connection reset"), "connection reset by peer"),
        Arguments.of(new FileNotFoundException(), "no such file or directory"),
        Arguments.of(new SocketException("No such file or directory"), "no such file or directory"),
        Arguments.of(new NoRouteToHostException(), "no route to host"),
        Arguments.of(new NoRouteToHostException("No route to host"), "no route to host"),
        Arguments.of(new IOException("Network is unreachable"), "network is unreachable"),
        Arguments.of(new IOException("something new"), "something new"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  @DisplayName("H-6: anything else is the target's failure and says which")
  void failure(Throwable thrown, String text) {
    assertThat(SocketErrors.failure("dial: ", thrown).verdict("Get: "))
        .isEqualTo(new Failure("Get: dial: " + text));
  }

  @ParameterizedTest
  @CsvSource({"-111, true", "-113, true", "-104, false", "-32, false", "-110, false"})
  @DisplayName("W-12 a refusal is definite; a connection that broke, or never came about, is not")
  void definite(int errno, boolean definite) {
    assertThat(SocketErrors.failure("", new NativeIoException("connect", errno)).verdict(""))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.definite()).isEqualTo(definite));
  }
}
