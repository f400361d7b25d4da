import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { DownloadFolders } from '#modules/portal/downloads/folders.web.tsx'
import { FILE_ADMIN_ROLES } from '#modules/portal/files/uploaded-document.ts'
import { PORTAL_NAV } from '#modules/portal/nav.ts'
import { useActor } from '#web/api/me.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { HR_DOWNLOADS_URL, hrDownloadsNav } from './hr-downloads.ts'

/** HR templates of the provider and the company. */
export default function HrDownloads() {
  const actor = useActor()
  return (
    <DownloadFolders
      title={hrDownloadsNav.downloads.title}
      about="HR templates of your provider and your company. Choose a file to download it."
      url={HR_DOWNLOADS_URL}
      empty={
        hasRole(actor, FILE_ADMIN_ROLES) ? (
          <EmptyState
            title="No HR templates yet"
            icon={IconDownload}
            action={
              <Button component={Link} to={PORTAL_NAV.files.path}>
                Open File manager
              </Button>
            }
          >
            Put templates into a folder. Then choose the pencil icon next to the folder, switch on “HR templates” and
            make it visible to human resources.
          </EmptyState>
        ) : (
          <EmptyState title="No HR templates yet" icon={IconDownload}>
            An administrator of your company marks folders as HR templates in the file manager.
          </EmptyState>
        )
      }
    />
  )
}
