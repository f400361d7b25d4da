import type { PgConnection } from './connection.ts'
import type { PreparedSql } from './db.ts'
import type { StatementNames } from './pipeline.ts'
import { type BoundTenant, WITH_COMMIT, withBeginAndTenant, withTenantBinding } from './pipeline.ts'

/** SQL that opens a transaction. */
export interface TransactionStart {
  readonly text: string
  /**
   * Tenant to bind. Set only if `text` does nothing but begin the transaction and bind this tenant, so that both can be
   * sent with the first statement instead.
   */
  readonly tenant?: BoundTenant | undefined
}

/**
 * A transaction on a connection. Its BEGIN is sent with the first statement, and its COMMIT with the last. A
 * transaction of a single frequent statement takes one round trip without BEGIN and COMMIT, because everything up to
 * the next sync is atomic.
 */
export class DbTransaction {
  readonly line: PgConnection
  private readonly names: StatementNames
  private readonly opening: TransactionStart
  private begun: Promise<unknown> | undefined
  private committed: Promise<unknown> | undefined
  /** True once BEGIN has been sent. */
  private isOpen = false

  constructor(line: PgConnection, names: StatementNames, opening: TransactionStart) {
    this.line = line
    this.names = names
    this.opening = opening
  }

  /** True if COMMIT has been sent. If the connection breaks after that, the outcome is unknown. */
  get isSent(): boolean {
    return this.committed !== undefined
  }

  /** Runs a read with the session's rights, before the transaction begins. */
  async before({ text }: PreparedSql, values: readonly unknown[]): Promise<unknown[][]> {
    if (this.begun) throw new Error('The transaction has already begun')
    return this.line.ask((line) => line.arrays(text, this.names.of(text), values))
  }

  ask<T>(send: (line: PgConnection) => Promise<T>): Promise<T> {
    this.begin()
    return this.line.ask(send)
  }

  arrays({ text }: PreparedSql, values: readonly unknown[]): Promise<unknown[][]> {
    const statement = this.names.of(text)
    const { tenant } = this.opening
    if (this.begun || !tenant || !this.line.knows(statement))
      return this.ask((line) => line.arrays(text, statement, values))
    this.isOpen = true
    const answer = quietly(this.line.ask((line) => line.usual(statement, values, withBeginAndTenant(tenant))))
    this.begun = answer
    return answer
  }

  /** Sends the last statement together with the commit. */
  commitWith({ text }: PreparedSql, values: readonly unknown[]): Promise<unknown[][]> {
    const statement = this.names.of(text)
    const { tenant } = this.opening
    const along = this.begun ? WITH_COMMIT : tenant && withTenantBinding(tenant)
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

  /** Commits the transaction. */
  async end(): Promise<void> {
    await this.begun
    await this.commit()
  }

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

/** Marks a promise as handled, because nobody awaits it if something else fails first. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
