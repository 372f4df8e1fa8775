package io.probelet.probe.net;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.Security;
import java.security.cert.CRL;
import java.security.cert.CRLException;
import java.security.cert.CertPath;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateFactorySpi;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * Lets handshakes that trust any certificate take such as name no issuer or no subject. The JDK
 * refuses to read them and asks for no one's opinion; Go reads them, so servers have them.
 *
 * <p>JSSE reads certificates with whatever the process registers for X.509, so something has to be
 * registered for the whole process. It hands everything on to the JDK's own, and does more only
 * within {@link #accepting}: it reads a certificate without names as if it had some.
 */
final class NamelessCertificates {
  /** Set while this thread accepts them. */
  private static final ThreadLocal<Boolean> ACCEPTED = new ThreadLocal<>();

  private static final String NAME = "ProbeletCertificates";
  private static final String TYPE = "X.509";
  private static final String JDK = "SUN";

  private NamelessCertificates() {}

  /** Registers what reads them, once. */
  static void register() {
    if (Security.getProvider(NAME) == null) {
      Security.insertProviderAt(new Registered(), 1);
    }
  }

  /**
   * Runs a part of a handshake that trusts any certificate.
   *
   * @param part on this thread
   */
  static void accepting(Runnable part) {
    ACCEPTED.set(true);
    try {
      part.run();
    } finally {
      ACCEPTED.remove();
    }
  }

  private static final class Registered extends Provider {
    private static final long serialVersionUID = 1;

    Registered() {
      super(NAME, "1", "reads certificates without names where every certificate is trusted");
      putService(
          new Service(
              this, "CertificateFactory", TYPE, Reader.class.getName(), List.of("X509"), null) {
            @Override
            public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
              try {
                return new Reader(CertificateFactory.getInstance(TYPE, JDK));
              } catch (CertificateException | NoSuchProviderException missing) {
                throw new NoSuchAlgorithmException(missing);
              }
            }
          });
    }
  }

  /** The JDK's own, but for certificates without names where they are accepted. */
  private static final class Reader extends CertificateFactorySpi {
    private final CertificateFactory jdk;

    Reader(CertificateFactory jdk) {
      this.jdk = jdk;
    }

    @Override
    public Certificate engineGenerateCertificate(InputStream in) throws CertificateException {
      if (ACCEPTED.get() == null) {
        return jdk.generateCertificate(in);
      }
      byte[] der; // JSSE hands in one certificate each time
      try {
        der = in.readAllBytes();
      } catch (IOException impossible) {
        throw new CertificateException(impossible);
      }
      try {
        return jdk.generateCertificate(new ByteArrayInputStream(der));
      } catch (CertificateException refused) {
        byte[] named = CertificateNames.fillIn(der);
        if (named == null) {
          throw refused;
        }
        return jdk.generateCertificate(new ByteArrayInputStream(named));
      }
    }

    @Override
    public Collection<? extends Certificate> engineGenerateCertificates(InputStream in)
        throws CertificateException {
      return jdk.generateCertificates(in);
    }

    @Override
    public CRL engineGenerateCRL(InputStream in) throws CRLException {
      return jdk.generateCRL(in);
    }

    @Override
    public Collection<? extends CRL> engineGenerateCRLs(InputStream in) throws CRLException {
      return jdk.generateCRLs(in);
    }

    @Override
    public CertPath engineGenerateCertPath(InputStream in) throws CertificateException {
      return jdk.generateCertPath(in);
    }

    @Override
    public CertPath engineGenerateCertPath(InputStream in, String encoding)
        throws CertificateException {
      return jdk.generateCertPath(in, encoding);
    }

    @Override
    public CertPath engineGenerateCertPath(List<? extends Certificate> certificates)
        throws CertificateException {
      return jdk.generateCertPath(certificates);
    }

    @Override
    public Iterator<String> engineGetCertPathEncodings() {
      return jdk.getCertPathEncodings();
    }
  }
}
