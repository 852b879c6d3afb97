package io.railflux;

import static org.awaitility.Awaitility.await;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.TestEnvironment.ManualSubscriber;
import org.testng.SkipException;
import org.testng.annotations.Test;

/** The Reactive Streams rules for a publisher, on a machine of any speed. */
public abstract class PublisherRules<T> extends PublisherVerification<T> {

  private static final long TIMEOUT_MILLIS = 10_000;
  private static final long POLL_MILLIS = 1;
  private static final int ELEMENTS = 3;

  private final TestEnvironment environment;

  /**
   * @param quietMillis time for which the verification waits if no signal may arrive
   */
  protected PublisherRules(long quietMillis) {
    this(new TestEnvironment(TIMEOUT_MILLIS, quietMillis, POLL_MILLIS));
  }

  private PublisherRules(TestEnvironment environment) {
    super(environment);
    this.environment = environment;
  }

  /** The original method sleeps and checks once, 100 ms after it requested a collection. */
  @Override
  @Test
  public void
      required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber()
          throws Throwable {
    if (maxElementsFromPublisher() < ELEMENTS) {
      throw new SkipException("the publisher has fewer than " + ELEMENTS + " elements");
    }
    Publisher<T> publisher = createPublisher(ELEMENTS);
    Reference<?> subscriber = cancelled(publisher);
    try {
      await().until(() -> {
        System.gc();
        return subscriber.refersTo(null);
      });
    } finally {
      Reference.reachabilityFence(publisher);
    }
  }

  private Reference<?> cancelled(Publisher<T> publisher) throws InterruptedException {
    ManualSubscriber<T> subscriber = environment.newManualSubscriber(publisher);
    subscriber.requestNextElement();
    subscriber.requestNextElement();
    subscriber.cancel();
    return new WeakReference<>(subscriber);
  }
}
