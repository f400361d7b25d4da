import { PROVIDER } from '#kernel/roles.ts'
import { queryString } from '#web/api/client.ts'
import type { KindParts } from './kind.web.ts'
import { clientOf, type DocumentRecord } from './record.web.ts'

/** Documents of other types that can be started from this one, with labels and paths. */
export const beginsFrom = ({ kind, all }: KindParts, record: DocumentRecord) =>
  record.retired || record.state === 'replaced' || record.state === 'rejected' || clientOf(record) === PROVIDER
    ? []
    : all.flatMap(({ screens, from = {} }) =>
        Object.entries(from).flatMap(([name, of]) =>
          of.kind === kind.kind
            ? [
                {
                  action: of.action,
                  to: `${screens.update.replace(/\/update$/, '')}/create${queryString({ [name]: record.id })}`,
                },
              ]
            : [],
        ),
      )
