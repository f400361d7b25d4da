import { Alert, Button, FileButton, Group, Text, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { toText } from '#kernel/text.ts'
import { now } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useDebouncedValues } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { VISIBLE_BANNERS_PATH } from '../nav.ts'
import { alertBanner, BANNER_UPLOAD_PATH, bannerStatus } from './banner.ts'
import { BannerView } from './view.web.tsx'

type Banner = RecordOf<typeof alertBanner>

const FIELDS = ['title', 'message', 'linkTo', 'linkWords', 'audience', 'from', 'until', 'imageText', 'shown'] as const
const STANDS = {
  hidden: ['plain', 'Not shown'],
  'to come': ['attention', 'Scheduled'],
  shown: ['safe', 'Shown now'],
  over: ['plain', 'Over'],
} as const

/** Editor for the provider's two banners, information and promotion, with a preview of each. */
export default function BannersPage() {
  const all = useList(alertBanner, { pagination: false })
  return (
    <Page
      title="Banners"
      about="The information banner is shown above each user’s dashboard, and the promotion banner below it. Users who hide a banner see it again when you change it."
    >
      {all.isPending && <LoadingRows />}
      {all.isError && <ErrorState error={all.error} onRetry={() => void all.refetch()} />}
      {all.data?.['hydra:member'].map((one) => (
        <Edit key={one.id} banner={one} />
      ))}
    </Page>
  )
}

function Edit({ banner: b }: { readonly banner: Banner }) {
  const queries = useQueryClient()
  const again = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [alertBanner.url] }),
      queries.invalidateQueries({ queryKey: [VISIBLE_BANNERS_PATH] }),
    ])
  const [meaning, words] = STANDS[bannerStatus({ shown: b.shown ?? false, from: b.from, until: b.until }, now())]
  return (
    <section className={page.card} aria-labelledby={`banner-${b.id}`}>
      <Group>
        <Title order={2} size="h4" id={`banner-${b.id}`}>
          {b.kind === 'info' ? 'Information banner' : 'Promotion banner'}
        </Title>
        <StatusChip meaning={meaning}>{words}</StatusChip>
      </Group>
      <ResourceForm
        resource={alertBanner}
        record={b}
        fields={FIELDS}
        wide={['title']}
        action="Save"
        focused={false}
        Above={({ store }) => <Preview store={store} banner={b} />}
        onSaved={() => {
          toast.saved('the banner')
          void again()
        }}
      />
      <Picture banner={b} onChanged={again} />
    </section>
  )
}

/** Preview of a banner with its unsaved values. */
function Preview({ store, banner }: { readonly store: ValueStore; readonly banner: Banner }) {
  const typed = useDebouncedValues(store)
  const said = (name: (typeof FIELDS)[number]) => toText(typed[name])
  const shown = {
    kind: banner.kind ?? 'info',
    title: said('title'),
    message: said('message'),
    linkTo: said('linkTo'),
    linkWords: said('linkWords'),
    image: banner.image,
    imageText: said('imageText'),
  }
  const isEmpty = !shown.title && !shown.message && !shown.image
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        Preview
      </Text>
      {isEmpty ? <Text c="dimmed">Nothing to preview yet. Start typing.</Text> : <BannerView banner={shown} />}
    </div>
  )
}

interface PictureProps {
  readonly banner: Banner
  readonly onChanged: () => Promise<unknown>
}

/** A banner's picture, which is uploaded separately and re-encoded by the server. */
function Picture({ banner: b, onChanged }: PictureProps) {
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: `${BANNER_UPLOAD_PATH}?banner=${b.id}`,
    onDone: () => {
      toast.saved('the picture')
      void onChanged()
    },
  })
  const takeAway = async () => {
    try {
      await callApi('POST', `${iriOf(alertBanner, b.id)}/remove_picture`, {})
      await onChanged()
    } catch (e) {
      toast.failed(e, () => void takeAway())
    }
  }
  return (
    <div>
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      <Group mt="sm">
        <FileButton accept="image/*" onChange={(file) => file && add([file])}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={uploads.some((u) => u.state !== 'failed')}
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {b.image ? 'Choose another picture' : 'Choose a picture'}
            </Button>
          )}
        </FileButton>
        {b.image && (
          <Button variant="subtle" onClick={() => void takeAway()}>
            Remove picture
          </Button>
        )}
      </Group>
      {b.image && !b.imageText && !b.shown && (
        <Alert color="yellow" mt="sm">
          Before the banner is shown, enter the alternative text for people who can’t see the picture.
        </Alert>
      )}
    </div>
  )
}
