package io.probelet.probe.net;

import java.math.BigInteger;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * Offers one key share on secp256r1 with each handshake until a server takes it.
 *
 * <p>The JDK sends a share on secp256r1 beside the one on X25519, and no option prevents that.
 * Nearly all servers take X25519, and computing the other share was up to a fifth of a handshake's
 * cost. A key whose share no server took has protected nothing, so it may be offered again. The
 * first handshake that uses the key is the last one to offer it; only those already in progress on
 * the same loop may still use it as well, each with another key of a server.
 *
 * <p>JSSE generates keys with whatever the process registers for EC, so something has to be
 * registered for the whole process. It exists within {@link #offering} only; everywhere else the
 * process finds the generator that it would find without it.
 */
final class SpareKeyShare {
  /** Set while this thread creates the first message of a handshake. */
  private static final ThreadLocal<Boolean> OFFERING = new ThreadLocal<>();

  private static final String NAME = "ProbeletKeyShares";
  private static final String TYPE = "KeyPairGenerator";
  private static final String ALGORITHM = "EC";
  private static final String JDK = "SunEC";

  /** Of each loop its own. */
  private static final ThreadLocal<Spare> SPARE = new ThreadLocal<>();

  private SpareKeyShare() {}

  /** Registers the generator, once. */
  static void register() {
    if (Security.getProvider(NAME) == null) {
      Security.insertProviderAt(new Registered(), 1);
    }
  }

  /**
   * Runs what creates the first message of a handshake.
   *
   * @param part on this thread
   */
  static void offering(Runnable part) {
    OFFERING.set(true);
    try {
      part.run();
    } finally {
      OFFERING.remove();
    }
  }

  private static final class Registered extends Provider {
    private static final long serialVersionUID = 1;

    Registered() {
      super(NAME, "1", "offers the share of a key again that no server took");
      putService(
          new Service(this, TYPE, ALGORITHM, Generator.class.getName(), null, null) {
            @Override
            public Object newInstance(@Nullable Object parameter) throws NoSuchAlgorithmException {
              if (OFFERING.get() == null) {
                throw new NoSuchAlgorithmException("only for handshakes of probes");
              }
              try {
                return new Generator(KeyPairGenerator.getInstance(ALGORITHM, JDK));
              } catch (NoSuchProviderException missing) {
                throw new NoSuchAlgorithmException(missing);
              }
            }
          });
    }
  }

  private static final class Generator extends KeyPairGeneratorSpi {
    private final KeyPairGenerator jdk;
    private @Nullable ECParameterSpec curve;

    Generator(KeyPairGenerator jdk) {
      this.jdk = jdk;
    }

    @Override
    public void initialize(int bits, SecureRandom random) {
      curve = null;
      jdk.initialize(bits, random);
    }

    @Override
    public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
        throws InvalidAlgorithmParameterException {
      curve = parameters instanceof ECParameterSpec named ? named : null;
      jdk.initialize(parameters, random);
    }

    @Override
    public KeyPair generateKeyPair() {
      Spare last = SPARE.get();
      if (last == null || !last.fits(curve)) {
        KeyPair pair = jdk.generateKeyPair();
        last = new Spare(new OfferedKey((ECPrivateKey) pair.getPrivate()), pair);
        SPARE.set(last);
      }
      return new KeyPair(last.pair.getPublic(), last.key);
    }
  }

  private record Spare(OfferedKey key, KeyPair pair) {
    boolean fits(@Nullable ECParameterSpec curve) {
      return curve != null
          && !key.used
          && ((ECPublicKey) pair.getPublic()).getParams().getCurve().equals(curve.getCurve());
    }
  }

  /** Notices when something is computed with it. */
  private static final class OfferedKey implements ECPrivateKey {
    private static final long serialVersionUID = 1;

    private final ECPrivateKey key;
    private volatile boolean used; // by tasks on other threads, if any

    OfferedKey(ECPrivateKey key) {
      this.key = key;
    }

    @Override
    public BigInteger getS() {
      used = true;
      return key.getS();
    }

    @Override
    public byte[] getEncoded() {
      used = true;
      return key.getEncoded();
    }

    @Override
    public ECParameterSpec getParams() {
      return key.getParams();
    }

    @Override
    public String getAlgorithm() {
      return key.getAlgorithm();
    }

    @Override
    public String getFormat() {
      return key.getFormat();
    }
  }
}
