import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useOne } from '#web/api/resources.ts'
import { Editable } from '#web/forms/editable.tsx'
import { backTo } from '#web/lists/places.ts'
import { PageTitle } from '#web/shell/pages/page-title.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import css from './staff.module.css'
import { staff } from './staff.ts'

/** One staff member, addressed by username. */
export function StaffCard({ username }: { readonly username: string }) {
  const one = useOne(staff, username)
  const s = one.data
  return (
    <>
      <div>
        <Button
          component={Link}
          to={backTo('/staff')}
          variant="subtle"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
        >
          All staff
        </Button>
      </div>
      {!s && <PageTitle>Staff</PageTitle>}
      {one.isPending && <LoadingRows rows={3} />}
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {s && (
        <>
          <div className={css.head}>
            <PageTitle>{s.name}</PageTitle>
            {s.tray ? <StatusChip>Tray</StatusChip> : <RetiredChip retired={s.retired} />}
          </div>
          <section className={css.card} aria-label="Details">
            <div className={css.facts}>
              {(['name', 'username', 'telephone', 'email', 'user', 'retired'] as const).map((name) => (
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
        </>
      )}
    </>
  )
}
