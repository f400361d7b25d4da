import { scopeOf } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { type Figure, readFigures, type Series } from '#server/data/counts.ts'
import type { Query } from '#server/data/filters.ts'
import type { Form, RowArray } from '#server/data/json-select.ts'
import { ListPage, readPage } from '#server/data/list-page.ts'
import { type SelectPlan, selectPlanFor } from '#server/data/plan.ts'
import { listQuery, oneQuery, type Page } from '#server/data/queries.ts'
import type { Condition } from '#server/data/query-values.ts'
import { findReferences } from '#server/data/references.ts'
import type { Totals } from '#server/data/totals.ts'
import type { Db } from '#server/db/db.ts'
import { recordAccess } from './access-records.ts'
import { hasOwners, hasRowDependentFields, hideFields } from './field-access.ts'
import { refusal } from './refusals.ts'
import type { Registry } from './registry.ts'
import type { Engine } from './types.ts'

/** Lists and single records, within the actor's access. */
export abstract class Reads {
  abstract readonly db: Db
  abstract readonly totals: Totals
  protected abstract readonly registry: Registry
  /** The whole engine, for hooks. */
  protected abstract readonly self: Engine

  extraFilters(r: Resource, query: Query): readonly Condition[] {
    return this.registry.behaviours.get(r)?.extraFilters?.(query) ?? []
  }

  async list<R extends Resource>(
    r: R,
    actor: Actor | undefined,
    query: Query,
    page: Page,
    { count = true, extra = [] as readonly Condition[] } = {},
  ): Promise<ListPage<R>> {
    const q = listQuery(r, actor, query, page, [...this.extraFilters(r, query), ...extra])
    if (!q) throw refusal(actor, r)
    const found = await readPage(this.db.read, q, page, count ? this.totals.of(r.table, q.count) : undefined)
    return new ListPage<R>(found.rows, selectPlanFor(r, actor, true), found.total)
  }

  figures(actor: Actor, series: readonly Series[]): Promise<Figure[]> {
    return readFigures(this.db.read, actor, series, ({ of, where }) => this.extraFilters(of, where))
  }

  async one<R extends Resource>(r: R, actor: Actor | undefined, id: number): Promise<RecordOf<R>> {
    const { row, plan } = await this.find(r, actor, id)
    const sent = plan.send(row) as RecordOf<R>
    if (actor && hasRowDependentFields(r)) hideFields(r, actor, sent)
    if (actor) await recordAccess(this.self, r, actor, { clientId: Number(row[1]), id: Number(sent.id), sent })
    return sent
  }

  async oneText(r: Resource, actor: Actor | undefined, id: number, form: Form): Promise<string> {
    const { row, plan } = await this.find(r, actor, id)
    if (actor) await recordAccess(this.self, r, actor, { clientId: Number(row[1]), id })
    return plan.text(row, form)
  }

  async idOf(r: Resource, actor: Actor | undefined, given: string | undefined): Promise<number> {
    const id = readId(given)
    if (id !== undefined) return id
    if (given === undefined) throw problem.notFound()
    if (!r.alias || scopeOf(actor, 'read', r).tenants === 'none') throw problem.notFound()
    const found = await findReferences(this.db.read, actor, [{ field: 'id', target: r, given, alias: given }]).catch(
      () => {
        throw problem.notFound()
      },
    )
    return found.id as number
  }

  private async find(r: Resource, actor: Actor | undefined, id: number): Promise<{ row: RowArray; plan: SelectPlan }> {
    // Owners of fields are in the row itself: it is read whole, and hidden fields are removed afterwards.
    const q = oneQuery(r, actor, 'read', id, { everything: actor !== undefined && hasOwners(r) })
    if (!q) throw refusal(actor, r)
    const [row] = await this.db.read.arrays(q.query, q.values)
    if (!row) throw problem.notFound()
    return { row, plan: q.plan }
  }
}
