import type { Connection } from './connection.ts'
import type { Prepared } from './db.ts'
import type { Names } from './names.ts'
import { COMMITTED, openedFor, type Tenant, wholeFor } from './usual.ts'

/** What a transaction begins with. */
export interface Opening {
  readonly text: string
  /** Whom it is bound to, where that is all that the text says. */
  readonly tenant?: Tenant | undefined
}

/**
 * A transaction on a connection. Its opening goes with its first statement and its last statement with the commit; where both are the
 * same, and usual, they are one journey without BEGIN and COMMIT: what is sent up to the next sync is done whole or not at all.
 */
export class Transaction {
  readonly line: Connection
  private readonly names: Names
  private readonly opening: Opening
  private begun: Promise<unknown> | undefined
  private committed: Promise<unknown> | undefined
  /** It stands open until it is committed or rolled back. */
  private isOpen = false

  constructor(line: Connection, names: Names, opening: Opening) {
    this.line = line
    this.names = names
    this.opening = opening
  }

  /** Has the commit been sent? Where the connection breaks then, nobody knows whether it was done. */
  get isSent(): boolean {
    return this.committed !== undefined
  }

  /** Asks by the rights of the session, before the transaction begins. */
  async before({ text }: Prepared, values: readonly unknown[]): Promise<unknown[][]> {
    if (this.begun) throw new Error('The transaction has begun')
    return this.line.ask((line) => line.arrays(text, this.names.of(text), values))
  }

  ask<T>(send: (line: Connection) => Promise<T>): Promise<T> {
    this.begin()
    return this.line.ask(send)
  }

  arrays({ text }: Prepared, values: readonly unknown[]): Promise<unknown[][]> {
    const statement = this.names.of(text)
    const { tenant } = this.opening
    if (this.begun || !tenant || !this.line.knows(statement))
      return this.ask((line) => line.arrays(text, statement, values))
    this.isOpen = true
    const answer = quietly(this.line.ask((line) => line.usual(statement, values, openedFor(tenant))))
    this.begun = answer
    return answer
  }

  /** Sends the last statement and the commit together. */
  commitWith({ text }: Prepared, values: readonly unknown[]): Promise<unknown[][]> {
    const statement = this.names.of(text)
    const { tenant } = this.opening
    const along = this.begun ? COMMITTED : tenant && wholeFor(tenant)
    if (along && this.line.knows(statement)) {
      const answer = quietly(this.line.ask((line) => line.usual(statement, values, along)))
      this.begun ??= answer
      this.committed = answer
      return answer
    }
    this.begin()
    const answer = this.line.ask((line) => line.arrays(text, statement, values))
    void this.commit()
    return answer
  }

  /** Ends it: what was done in it stays. */
  async end(): Promise<void> {
    await this.begun
    await this.commit()
  }

  /** Undoes it. */
  async rollBack(): Promise<void> {
    if (this.isOpen) await this.line.rollBack()
  }

  private begin(): void {
    if (this.begun) return
    this.isOpen = true
    this.begun = quietly(this.line.ask((line) => line.run(this.opening.text)))
  }

  private commit(): Promise<unknown> | undefined {
    if (!this.isOpen) return this.committed
    this.committed ??= quietly(
      this.line
        .ask((line) => line.run('COMMIT'))
        .then(({ command }) => {
          if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
        }),
    )
    return this.committed
  }
}

/** A promise that somebody waits for later, or nobody where something else has failed. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
