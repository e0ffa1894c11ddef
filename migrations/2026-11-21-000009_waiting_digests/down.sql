drop index notices_digests;
