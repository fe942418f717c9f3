@_exported import FileNames
