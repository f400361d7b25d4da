import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Collection, call } from '#web/api/client.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { byTitle, irisOf, methodOf, type Snapshot, snapshot, statementsIn } from './chosen.ts'
import css from './method.module.css'
import { standardStatement } from './statement.ts'
import { StatementManager } from './statement-manager.web.tsx'
import { TaskTable } from './task-table.web.tsx'
import { useChosen } from './use-chosen.web.ts'

interface Found extends Snapshot {
  readonly default?: boolean
}

const DEFAULTS = `${standardStatement.url}?retired=false&default=true&pagination=false`

/** Drafts that got the default statements since the page was opened: removed ones are not added again. */
const given = new Set<unknown>()

interface Props extends CustomFieldProps {
  /** Heading of the tasks. */
  readonly tasks: string
}

/** Field for statements and tasks; chosen ones are copied as they read now. */
function MethodField({ field, value, onChange, readOnly, read, tasks }: Props) {
  const method = methodOf(value)
  const { taskSelection } = method
  // The library may respond after the selection has changed.
  const now = () => methodOf(read(field.name))
  const statements = statementsIn(method)
  const unconfirmed = read('unconfirmed')
  const asked = Array.isArray(unconfirmed) && unconfirmed.includes(field.name)
  const fresh =
    !readOnly && !asked && !statements.length && Number(read('revision') ?? 1) === 1 && !given.has(read('@id'))
  const defaults = useQuery({
    queryKey: [standardStatement.url, 'list', 'defaults'],
    queryFn: ({ signal }) => call<Collection<Found>>('GET', DEFAULTS, undefined, { signal }),
    enabled: fresh,
  })
  const offered = defaults.data?.['hydra:member']
  useEffect(() => {
    if (!fresh || !offered?.length) return
    given.add(read('@id'))
    onChange({ ...methodOf(read(field.name)), defaultStatements: byTitle(offered.map(snapshot)) })
  }, [fresh, offered, onChange, read, field.name])

  const chosen = useChosen<Found>()
  const choose = (known: readonly Snapshot[], iris: readonly string[], put: (all: readonly Found[]) => void) =>
    void chosen(known, iris).then(put, (e: unknown) => toast.failed(e, () => choose(known, iris, put)))

  return (
    <div className={css.method}>
      <section>
        <h3>Standard statements</h3>
        <Text size="sm" c="dimmed" mb="xs">
          Statements that always apply to this work. Default statements are included in every new document; remove those
          that don’t apply.
        </Text>
        {defaults.isError && <ErrorState error={defaults.error} onRetry={() => void defaults.refetch()} />}
        <StatementManager
          value={irisOf(statements)}
          readOnly={readOnly}
          onChange={(iris) => {
            given.add(read('@id'))
            choose(statements, iris, (all) => {
              const was = now()
              const isDefault = (s: Found) =>
                s.default === true || was.defaultStatements.some((d) => d['@id'] === s['@id'])
              onChange({
                ...was,
                defaultStatements: all.filter(isDefault).map(snapshot),
                nonDefaultStatements: all.filter((s) => !isDefault(s)).map(snapshot),
              })
            })
          }}
        />
      </section>
      <section>
        <h3>{tasks}</h3>
        <Text size="sm" c="dimmed" mb="xs">
          Tasks, sorted by title.
        </Text>
        <TaskTable
          value={irisOf(taskSelection)}
          readOnly={readOnly}
          onChange={(iris) =>
            choose(taskSelection, iris, (all) => onChange({ ...now(), taskSelection: byTitle(all.map(snapshot)) }))
          }
        />
      </section>
    </div>
  )
}

/** Creates the form input with the given tasks heading. */
export const methodFieldWith = (tasks: string) => (props: CustomFieldProps) => <MethodField {...props} tasks={tasks} />
