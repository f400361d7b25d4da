import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useOne, useSave } from '#web/api/resources.ts'
import { Editable } from '#web/forms/editable.tsx'
import { useHandOver } from '#web/leaving/hand-over.tsx'
import { listReturnPath } from '#web/lists/pager/list-position.ts'
import { Panels } from '#web/shell/manifest/panels.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import { toast, undoable } from '#web/ui/toast.ts'
import { staff } from './staff.ts'

/** Page of a member of staff, by username. */
export function StaffCard({ username }: { readonly username: string }) {
  const one = useOne(staff, username)
  const s = one.data
  return (
    <Page
      title={s?.name ?? 'Staff'}
      beside={s && (s.tray ? <StatusChip>Tray</StatusChip> : <RetiredChip retired={s.retired} />)}
      {...(s && !s.tray ? { actions: <Retire staff={s} /> } : {})}
      back={{ label: 'All staff', to: listReturnPath('/staff') }}
    >
      {one.isPending && <LoadingRows rows={3} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {s && (
        <>
          <section className={page.card} aria-label="Details">
            <div className={page.facts}>
              {(
                ['name', 'username', 'telephone', 'email', 'callsPerDay', 'mostLeads', 'awayUntil', 'user'] as const
              ).map((name) => (
                <Editable
                  key={name}
                  resource={staff}
                  record={s}
                  name={name}
                  readOnly={s.tray || name === 'username'}
                  of={s.name ?? ''}
                />
              ))}
            </div>
          </section>
          {!s.tray && (
            <Suspense>
              <Panels record={s} />
            </Suspense>
          )}
        </>
      )}
    </Page>
  )
}

/** Retires or restores a member of staff; asks who takes over their leads. */
function Retire({ staff: s }: { readonly staff: RecordOf<typeof staff> }) {
  const actor = useActor()
  const save = useSave(staff)
  const queries = useQueryClient()
  const [handOver, leave] = useHandOver({ target: staff, params: { retired: false, tray: false } })
  const set = (retired: boolean, said = {}) => save.mutateAsync({ id: s.id, values: { retired, ...said } })
  const press = async () => {
    try {
      if (!(await leave(s.name ?? '', (said) => set(!s.retired, said)))) return
      await queries.invalidateQueries({ queryKey: [staff.url, 'one'] })
      const undo = () => set(s.retired).then(() => queries.invalidateQueries({ queryKey: [staff.url, 'one'] }))
      undoable({ message: `${s.name} ${s.retired ? 'restored' : 'retired'}`, undo })
    } catch (e) {
      toast.failed(e)
    }
  }
  if (!can(actor, 'update', staff)) return null
  return (
    <>
      <Button variant="default" loading={save.isPending} onClick={() => void press()}>
        {s.retired ? 'Restore' : 'Retire'}
      </Button>
      {handOver}
    </>
  )
}
