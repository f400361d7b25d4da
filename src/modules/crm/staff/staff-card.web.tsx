import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord, useSaveRecord } from '#web/api/resources.ts'
import { EditableField } from '#web/forms/editable.tsx'
import { useLeadHandOver } from '#web/leaving/hand-over.tsx'
import { getListReturnPath } from '#web/lists/pager/list-position.ts'
import { RecordPanels } from '#web/shell/manifest/panels.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import { showUndo, toast } from '#web/ui/toast.ts'
import { staff } from './staff.ts'

/** Page of a member of staff, by username. */
export function StaffPage({ username }: { readonly username: string }) {
  const one = useApiRecord(staff, username)
  const s = one.data
  return (
    <Page
      title={s?.name ?? 'Staff'}
      beside={s && (s.tray ? <StatusChip>Tray</StatusChip> : <RetiredChip retired={s.retired} />)}
      {...(s && !s.tray ? { actions: <Retire staff={s} /> } : {})}
      back={{ label: 'All staff', to: getListReturnPath('/staff') }}
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
                <EditableField
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
              <RecordPanels record={s} />
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
  const save = useSaveRecord(staff)
  const queries = useQueryClient()
  const [handOver, leave] = useLeadHandOver({ target: staff, params: { retired: false, tray: false } })
  const set = (retired: boolean, said = {}) => save.mutateAsync({ id: s.id, values: { retired, ...said } })
  const press = async () => {
    try {
      if (!(await leave(s.name ?? '', (said) => set(!s.retired, said)))) return
      await queries.invalidateQueries({ queryKey: [staff.url, 'one'] })
      const undo = () => set(s.retired).then(() => queries.invalidateQueries({ queryKey: [staff.url, 'one'] }))
      showUndo({ message: `${s.name} ${s.retired ? 'restored' : 'retired'}`, undo })
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
