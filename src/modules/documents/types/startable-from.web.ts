import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { queryString } from '#web/api/client.ts'
import type { DocumentTypeComponents } from './kind.web.ts'
import { clientIdOf, type DocumentRecord } from './record.web.ts'

/** Returns the options to start documents of other types from this one, with labels and paths. */
export const documentTypesStartableFrom = ({ kind, all }: DocumentTypeComponents, record: DocumentRecord) =>
  record.retired ||
  record.state === 'replaced' ||
  record.state === 'rejected' ||
  clientIdOf(record) === PROVIDER_CLIENT_ID
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
