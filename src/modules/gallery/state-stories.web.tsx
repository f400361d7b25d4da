import { Button } from '@mantine/core'
import { ApiError } from '#web/api/client.ts'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { AccessBlocked } from '#web/shell/pages/access-blocked.tsx'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { PhoneLink } from '#web/ui/phone-link.tsx'
import { EmptyState, ErrorState, ForbiddenState, LoadingRows, NoResults, OfflineBanner } from '#web/ui/states.tsx'
import { RetiredChip, StatusChip } from '#web/ui/status-chip.tsx'
import css from './gallery.module.css'
import { type GalleryStories, Story } from './story.web.tsx'

const HOUR = 3600
const from = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
const nothing = () => undefined

/**
 * Renders each overlay in its own box, so that the overlay covers nothing else and doesn't redirect users away from the
 * gallery.
 */
function Overlay({ checking }: { checking: boolean }) {
  return (
    <div className={css.box}>
      <AccessBlocked checking={checking} blocked={!checking} to="/example/access" />
    </div>
  )
}

export const stories: GalleryStories = {
  access: (
    <>
      <Story title="Pack being checked">
        <Overlay checking />
      </Story>
      <Story title="Client without the pack">
        <Overlay checking={false} />
      </Story>
    </>
  ),
  status: (
    <>
      <Story title="What each colour means">
        <div className={css.row}>
          <StatusChip meaning="safe" />
          <StatusChip meaning="attention" />
          <StatusChip meaning="stop" />
          <StatusChip meaning="info" />
          <StatusChip>Draft</StatusChip>
        </div>
      </Story>
      <Story title="Status of a record">
        <div className={css.row}>
          <RetiredChip retired={false} />
          <RetiredChip retired />
          <StatusChip meaning="attention">Incomplete</StatusChip>
          <StatusChip meaning="info">Template</StatusChip>
        </div>
      </Story>
    </>
  ),
  time: (
    <>
      <Story title="Due dates">
        <div className={css.row}>
          <RelativeTimeText due at={from(-2 * HOUR - 60)} />
          <RelativeTimeText due at={from(20 * 60 + 10)} />
          <RelativeTimeText due at={from(75 * HOUR)} />
          <RelativeTimeText due at={null} empty="No date" />
        </div>
      </Story>
      <Story title="Past and exact times">
        <div className={css.row}>
          <RelativeTimeText at={from(-5 * 60)} />
          <RelativeTimeText at={from(-400 * 24 * HOUR)} />
          <DateTimeText at="2026-07-01T08:30:00+00:00" />
          <DateTimeText day at={from(0)} />
        </div>
      </Story>
    </>
  ),
  phone: (
    <Story title="Telephone numbers and key caps">
      <div className={css.row}>
        <PhoneLink number="+44 (0)20 7946 0018" who="Priya Shah" />
        <PhoneLink number="ask at the desk" />
        <PhoneLink number="" />
        <span>
          Search <ShortcutKeys keys="mod+k" />
        </span>
        <span>
          Open <ShortcutKeys keys="Enter" />
        </span>
        <span>
          Go to the dashboard <ShortcutKeys keys="g d" />
        </span>
      </div>
    </Story>
  ),
  'empty-and-failed': (
    <>
      <Story title="Empty">
        <EmptyState title="No risk assessments yet" action={<Button>New risk assessment</Button>}>
          Write the first one, or copy one from the library.
        </EmptyState>
      </Story>
      <Story title="Nothing found">
        <NoResults onClear={nothing} />
      </Story>
      <Story title="Loading">
        <LoadingRows rows={3} />
      </Story>
      <Story title="Failed">
        <ErrorState
          error={new ApiError(500, 'Something went wrong on our side. Please try again.')}
          safe="Nothing that you typed is lost."
          onRetry={nothing}
        />
      </Story>
      <Story title="No connection">
        <ErrorState error={new ApiError(0, 'The connection was lost. Please try again.')} onRetry={nothing} />
      </Story>
      <Story title="Not found">
        <ErrorState error={new ApiError(404, 'Not found.')} />
      </Story>
      <Story title="Forbidden">
        <ForbiddenState />
      </Story>
      <Story title="Offline">
        <OfflineBanner />
      </Story>
    </>
  ),
}
