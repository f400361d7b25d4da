import { Button } from '@mantine/core'
import { IconPlus, IconQrcode } from '@tabler/icons-react'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { useActor } from '#web/api/me.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { MAX_DAILY_SITE_REPORTS, SITE_LINK_DAYS } from '../site-links/site-link.ts'

const PosterLinkDialog = lazyComponent(() => import('#modules/documents/signoff/link-dialog.web.tsx'))

const LIST = listUrlSchema({ retired: z.string().default('false') })
type Site = RecordOf<typeof incidentSite>

/** Sites where people report incidents, each with a poster whose QR code visitors scan. */
export default function IncidentSites() {
  const actor = useActor()
  const [state, setState] = useUrlState(LIST)
  const [open, setOpen] = useState<Site | 'new'>()
  const [poster, setPoster] = useState<Site>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title="Sites and QR posters"
      about="People choose their site when they report an incident. Visitors scan the QR code of a poster, and report without an account."
      actions={
        can(actor, 'create', incidentSite) && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            Add site
          </Button>
        )
      }
    >
      <DataList
        resource={incidentSite}
        label="Sites"
        state={state}
        onState={setState}
        filters={['retired']}
        columns={['name', 'addressLine1', 'city', 'postcode']}
        onOpen={setOpen}
        empty={<EmptyState title="No sites yet">Add your first site, then print its poster.</EmptyState>}
        rowActions={(site: Site) =>
          !site.retired && (
            <Button
              size="xs"
              variant="default"
              leftSection={<IconQrcode size={14} aria-hidden />}
              aria-label={`QR poster of ${site.name}`}
              onClick={() => setPoster(site)}
            >
              QR poster
            </Button>
          )
        }
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'Add site' : 'Edit site'}>
        <ResourceForm
          resource={incidentSite}
          fields={['name', 'addressLine1', 'addressLine2', 'city', 'county', 'postcode', 'noPostcode', 'retired']}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
      {poster && <SitePoster site={poster} onClose={() => setPoster(undefined)} />}
    </Page>
  )
}

function SitePoster({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
  const today = Temporal.PlainDate.from(londonToday())
  const after = (days: number) => today.add({ days }).toString()
  return (
    <PosterLinkDialog
      url={`${site['@id']}/link`}
      poster={`${site['@id']}/link/poster`}
      title={`QR poster of ${site.name}`}
      about={`Visitors report an accident or a near miss with the link, at most ${MAX_DAILY_SITE_REPORTS} times a day. They see no other reports.`}
      invite="Print the poster, or let people scan this QR code."
      used={({ signed }) => `Reports with this link: ${signed}.`}
      days={{ min: today.toString(), max: after(SITE_LINK_DAYS.most), usual: after(SITE_LINK_DAYS.usual) }}
      onClose={onClose}
    />
  )
}
