import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Collection, callApi } from '#web/api/client.ts'
import type { CustomFieldProps } from '#web/forms/schema/parts.ts'
import { ErrorState } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { StatementManager, TaskTable } from './item-manager.web.tsx'
import css from './method.module.css'
import {
  arrangeTasks,
  type LibrarySnapshot,
  librarySnapshotIris,
  parseMethodStatement,
  sortLibrarySnapshotsByTitle,
  statementsInMethodStatement,
  toLibrarySnapshot,
} from './method-statement.ts'
import { standardStatement } from './statement.ts'
import { TaskOrder } from './task-order.web.tsx'
import { useLibrarySnapshotLoader } from './use-chosen.web.ts'

interface LibraryItemMatch extends LibrarySnapshot {
  readonly default?: boolean
}

const DEFAULTS = `${standardStatement.url}?retired=false&default=true&pagination=false`

/**
 * Drafts to which the default statements have been added since the page was opened. Prevents statements that the user
 * removed from being added again.
 */
const given = new Set<unknown>()

interface Props extends CustomFieldProps {
  /** Heading above the tasks. */
  readonly tasks: string
}

/** Field for statements and tasks. Chosen statements and tasks are copied with their current text. */
function MethodField({ field, value, onChange, readOnly, read, tasks }: Props) {
  const method = parseMethodStatement(value)
  const { taskSelection } = method
  // Reads the current value, because the selection may have changed before the library responds.
  const now = () => parseMethodStatement(read(field.name))
  const statements = statementsInMethodStatement(method)
  const unconfirmed = read('unconfirmed')
  const asked = Array.isArray(unconfirmed) && unconfirmed.includes(field.name)
  const fresh =
    !readOnly && !asked && !statements.length && Number(read('revision') ?? 1) === 1 && !given.has(read('@id'))
  const defaults = useQuery({
    queryKey: [standardStatement.url, 'list', 'defaults'],
    queryFn: ({ signal }) => callApi<Collection<LibraryItemMatch>>('GET', DEFAULTS, undefined, { signal }),
    enabled: fresh,
  })
  const offered = defaults.data?.['hydra:member']
  useEffect(() => {
    if (!fresh || !offered?.length) return
    given.add(read('@id'))
    onChange({
      ...parseMethodStatement(read(field.name)),
      defaultStatements: sortLibrarySnapshotsByTitle(offered.map(toLibrarySnapshot)),
    })
  }, [fresh, offered, onChange, read, field.name])

  const chosen = useLibrarySnapshotLoader<LibraryItemMatch>()
  const choose = (
    known: readonly LibrarySnapshot[],
    iris: readonly string[],
    put: (all: readonly LibraryItemMatch[]) => void,
  ) => void chosen(known, iris).then(put, (e: unknown) => toast.failed(e, () => choose(known, iris, put)))

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
          value={librarySnapshotIris(statements)}
          readOnly={readOnly}
          onChange={(iris) => {
            given.add(read('@id'))
            choose(statements, iris, (all) => {
              const was = now()
              const isDefault = (s: LibraryItemMatch) =>
                s.default === true || was.defaultStatements.some((d) => d['@id'] === s['@id'])
              onChange({
                ...was,
                defaultStatements: all.filter(isDefault).map(toLibrarySnapshot),
                nonDefaultStatements: all.filter((s) => !isDefault(s)).map(toLibrarySnapshot),
              })
            })
          }}
        />
      </section>
      <section>
        <h3>{tasks}</h3>
        <Text size="sm" c="dimmed" mb="xs">
          Choose the tasks, then put them in the order of work.
        </Text>
        <TaskTable
          value={librarySnapshotIris(taskSelection)}
          readOnly={readOnly}
          onChange={(iris) =>
            choose(taskSelection, iris, (all) =>
              onChange({ ...now(), taskSelection: arrangeTasks(now().taskSelection, all.map(toLibrarySnapshot)) }),
            )
          }
        />
        {!readOnly && taskSelection.length > 1 && (
          <TaskOrder tasks={taskSelection} onChange={(tasks) => onChange({ ...now(), taskSelection: tasks })} />
        )}
      </section>
    </div>
  )
}

/** Creates a form field for statements and tasks, with the given heading above the tasks. */
export const createMethodStatementField = (tasks: string) => (props: CustomFieldProps) => (
  <MethodField {...props} tasks={tasks} />
)
