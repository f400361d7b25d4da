import { setTimeout as sleep } from 'node:timers/promises'

interface LateAnswersOptions {
  /** Milliseconds for which a request waits for its answer. */
  readonly waitMs: number
  /** Milliseconds for which an answer that nobody has collected is stored. */
  readonly storeMs: number
}

const LATE = Symbol('late')

/**
 * Answers of work that can take longer than a request may wait. The work continues after the first request, and a later
 * request with the same key collects its answer. Each process has its own answers.
 */
export class LateAnswers<Answer> {
  private readonly running = new Map<string, Promise<Answer>>()
  private readonly options: LateAnswersOptions
  constructor(options: LateAnswersOptions) {
    this.options = options
  }

  /** Starts the work, unless it is running. Resolves to undefined if it takes longer; rejects if the work fails. */
  async ask(key: string, work: () => Promise<Answer>): Promise<Answer | undefined> {
    const answer = this.running.get(key) ?? this.start(key, work)
    const stop = new AbortController()
    try {
      const first = await Promise.race([
        answer,
        sleep(this.options.waitMs, LATE, { signal: stop.signal }).catch((): typeof LATE => LATE),
      ])
      if (first === LATE) return undefined
      this.running.delete(key)
      return first
    } catch (e) {
      this.running.delete(key)
      throw e
    } finally {
      stop.abort()
    }
  }

  private start(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const answer = work()
    this.running.set(key, answer)
    const forget = () => {
      if (this.running.get(key) === answer) this.running.delete(key)
    }
    const later = () => void setTimeout(forget, this.options.storeMs).unref()
    answer.then(later, later)
    return answer
  }
}
