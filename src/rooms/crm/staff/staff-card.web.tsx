import { Suspense } from 'react'
import { useOne } from '#web/api/resources.ts'
import { Editable } from '#web/forms/editable.tsx'
import { backTo } from '#web/lists/place/places.ts'
import { Panels } from '#web/shell/faces/panels.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import { staff } from './staff.ts'

/** One staff member, addressed by username. */
export function StaffCard({ username }: { readonly username: string }) {
  const one = useOne(staff, username)
  const s = one.data
  return (
    <Page
      title={s?.name ?? 'Staff'}
      beside={s && (s.tray ? <StatusChip>Tray</StatusChip> : <RetiredChip retired={s.retired} />)}
      back={{ label: 'All staff', to: backTo('/staff') }}
    >
      {one.isPending && <LoadingRows rows={3} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {s && (
        <>
          <section className={page.card} aria-label="Details">
            <div className={page.facts}>
              {(['name', 'username', 'telephone', 'email', 'callsPerDay', 'awayUntil', 'user', 'retired'] as const).map(
                (name) => (
                  <Editable
                    key={name}
                    resource={staff}
                    record={s}
                    name={name}
                    readOnly={s.tray || name === 'username'}
                    of={s.name ?? ''}
                  />
                ),
              )}
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
