import { Button, FileButton, Group, Text, Title } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useList, useOne, useSave } from '#web/api/resources.ts'
import { Editable } from '#web/forms/editable.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { say } from '#web/ui/say.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { useFileUrl } from '#web/uploads/fetch.ts'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useUploads } from '#web/uploads/queue.ts'
import { client } from '../clients/client.ts'
import css from './letterhead.module.css'
import { letterhead } from './letterhead.ts'

const DETAILS = [
  'company',
  'address1',
  'address2',
  'city',
  'county',
  'postcode',
  'regcompno',
  'vatNumber',
  'contacttel',
  'contactemail',
] as const

type Head = RecordOf<typeof letterhead>

/** What stands on a company's papers: its name, its address, its logo. */
export default function LetterheadPage() {
  const { clientId } = useActor()
  const company = useOne(client, clientId)
  const heads = useList(letterhead)
  const failed = [company, heads].find((q) => q.isError)
  const c = company.data
  return (
    <Page title="Letterhead" about="What stands on your company’s papers. Papers that are finished stay as they were.">
      {failed && <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && !(c && heads.data) && <LoadingRows />}
      {c && heads.data && (
        <>
          <section className={page.card} aria-labelledby="letterhead-company">
            <Title order={2} size="h4" id="letterhead-company">
              Name, address and numbers
            </Title>
            <div className={page.facts}>
              {DETAILS.map((name) => (
                <Editable key={name} resource={client} record={c} name={name} />
              ))}
            </div>
          </section>
          <Logo head={heads.data['hydra:member'][0]} company={c.company ?? ''} />
        </>
      )}
    </Page>
  )
}

function Logo({ head, company }: { readonly head: Head | undefined; readonly company: string }) {
  const save = useSave(letterhead)
  const set = (logo: string | null) =>
    save.mutate(
      { ...(head ? { id: head.id } : {}), values: { logo } },
      { onSuccess: () => say.saved('the logo'), onError: (e) => say.failed(e) },
    )
  const { uploads, add, retry, remove } = useUploads({ place: 'logo', onDone: (file) => set(file['@id']) })
  const logo = iriIn(head?.logo)
  return (
    <section className={page.card} aria-labelledby="letterhead-logo">
      <Title order={2} size="h4" id="letterhead-logo">
        Logo
      </Title>
      {logo ? (
        <Shown logo={logo} says={head?.logoText || company} />
      ) : (
        <Text c="dimmed">No logo yet: your papers carry the company’s name alone.</Text>
      )}
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      <Group gap="sm">
        <FileButton accept="image/*,.heic,.heif" onChange={(file) => file && add([file])}>
          {(props) => (
            <Button
              {...props}
              variant={logo ? 'default' : 'filled'}
              disabled={save.isPending || uploads.some((u) => u.state !== 'failed')}
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {logo ? 'Choose another picture' : 'Choose a picture'}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="subtle" disabled={save.isPending} onClick={() => set(null)}>
            Print no logo
          </Button>
        )}
      </Group>
      {head && logo && (
        <div className={page.facts}>
          <Editable resource={letterhead} record={head} name="logoText" />
        </div>
      )}
    </section>
  )
}

/** The logo on white, as paper has it. */
function Shown({ logo, says }: { readonly logo: string; readonly says: string }) {
  const { url, failed } = useFileUrl(`${logo}/thumbnail`)
  return (
    <div className={css.paper}>
      {url ? (
        <img src={url} alt={says} />
      ) : (
        <Text size="sm">{failed ? 'The picture could not be loaded' : 'Loading …'}</Text>
      )}
    </div>
  )
}

const iriIn = (given: unknown): string | undefined =>
  typeof given === 'string' ? given : ((given as { '@id'?: string } | null | undefined)?.['@id'] ?? undefined)
