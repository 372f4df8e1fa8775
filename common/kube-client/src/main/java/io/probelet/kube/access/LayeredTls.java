package io.probelet.kube.access;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;

/**
 * Layers TLS over connected sockets, and exposes the sockets for closing: an {@link
 * java.net.HttpURLConnection} cannot be closed while another thread reads from it.
 */
final class LayeredTls extends SSLSocketFactory {
  private final Supplier<SSLSocketFactory> tls;
  private final Consumer<Socket> connected;

  LayeredTls(Supplier<SSLSocketFactory> tls, Consumer<Socket> connected) {
    this.tls = tls;
    this.connected = connected;
  }

  @Override
  public Socket createSocket(Socket below, String host, int port, boolean autoClose)
      throws IOException {
    connected.accept(below);
    return tls.get().createSocket(below, host, port, autoClose);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw connectedOnly();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    throw connectedOnly();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    throw connectedOnly();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    throw connectedOnly();
  }

  private static IOException connectedOnly() {
    return new IOException("TLS requires a connected socket");
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return tls.get().getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return tls.get().getSupportedCipherSuites();
  }
}
