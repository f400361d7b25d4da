import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { EmptyState } from '#web/ui/states.tsx'
import { FILE_ADMIN_ROLES, uploadedDocument } from '../files/uploaded-document.ts'
import { PORTAL_NAV } from '../nav.ts'
import { DownloadFolders } from './folders.web.tsx'

/** Page with the company's and the provider's downloads, by folder. */
export default function DownloadsPage() {
  const actor = useActor()
  return (
    <DownloadFolders
      title={PORTAL_NAV.downloads.title}
      about="Forms, certificates and handbooks. Choose a file to download it."
      url={`${uploadedDocument.url}/downloads`}
      empty={<Nothing mayMark={hasRole(actor, FILE_ADMIN_ROLES)} />}
    />
  )
}

const Nothing = ({ mayMark }: { readonly mayMark: boolean }) =>
  mayMark ? (
    <EmptyState
      title="No downloads yet"
      icon={IconDownload}
      action={
        <Button component={Link} to={PORTAL_NAV.files.path}>
          Open File manager
        </Button>
      }
    >
      Put forms, certificates and handbooks into a folder. Then choose the pencil icon next to the folder and switch on
      “Downloads”. The folder’s files will then appear here for everybody who can read the folder.
    </EmptyState>
  ) : (
    <EmptyState title="No downloads yet" icon={IconDownload}>
      Forms, certificates and handbooks from your company appear here. If a file is missing, ask one of your company’s
      administrators.
    </EmptyState>
  )
