import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { toast } from '#web/ui/toast.ts'

interface Props {
  readonly url: string
  readonly words?: string
  /** Name of the file for screen readers, needed where several buttons have the same words. */
  readonly label?: string
}

/** Button that downloads a URL as a file. */
export function CsvDownloadButton({ url, words = 'CSV file', label }: Props) {
  const file = useMutation({
    mutationFn: async () => {
      const { bytes, name } = await fetchFile(url)
      saveToDisk(bytes, name ?? 'export.csv')
    },
    onError: (e) => toast.failed(e),
  })
  return (
    <Button
      variant="default"
      {...(label ? { 'aria-label': `${words}: ${label}` } : {})}
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={file.isPending}
      onClick={() => file.mutate()}
    >
      {words}
    </Button>
  )
}
